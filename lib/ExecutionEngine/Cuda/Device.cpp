//===- Device.cpp - The GPU that kernels run on ---------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "Errors.h"
#include "Export.h"
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>

using namespace tmem::cuda;

static thread_local int defaultDevice = 0;
static std::mutex mutex;

/// The last kernel and the devices are never destroyed.
static std::string &getLastKernelName() {
  static std::string &name = *new std::string;
  return name;
}

void tmem::cuda::setLastKernel(const std::string &name) {
  std::lock_guard<std::mutex> lock(mutex);
  getLastKernelName() = name;
}

std::string tmem::cuda::getLastKernel() {
  std::lock_guard<std::mutex> lock(mutex);
  return getLastKernelName();
}

int Device::getAttribute(int attribute) const {
  int value = 0;
  TMEM_CUDA(cuDeviceGetAttribute, &value, attribute, device);
  return value;
}

static void checkOrdinal(int ordinal) {
  int count = 0;
  TMEM_CUDA(cuDeviceGetCount, &count);
  if (count == 0)
    setupError(std::string("no NVIDIA GPU; ") + runOnHost);
  if (ordinal < 0 || ordinal >= count)
    setupError(format("expected a device from 0 to %d, but got %d", count - 1,
                      ordinal));
}

/// A driver cannot know how deep functions recurse.
static void setStack(const Device &device) {
  const char *text = getenv("TMEM_CUDA_STACK");
  if (!text || !*text)
    return;
  char *end = nullptr;
  long long bytes = strtoll(text, &end, 10);
  if (*end || bytes <= 0)
    setupError(format(
        "TMEM_CUDA_STACK: expected a number of bytes, but got '%s'", text));
  if (!getDriver().cuCtxSetLimit)
    setupError("the NVIDIA driver is too old: it has no cuCtxSetLimit");
  TMEM_CUDA(cuCtxPushCurrent, device.context);
  check(getDriver().cuCtxSetLimit(LimitStackBytes, size_t(bytes)),
        format("cuCtxSetLimit of the stack to %lld bytes", bytes));
  CUcontext context;
  TMEM_CUDA(cuCtxPopCurrent, &context);
}

static std::unique_ptr<Device> openDevice(int ordinal) {
  getDriver();
  checkOrdinal(ordinal);
  auto device = std::make_unique<Device>();
  TMEM_CUDA(cuDeviceGet, &device->device, ordinal);
  char name[256] = {};
  TMEM_CUDA(cuDeviceGetName, name, int(sizeof(name) - 1), device->device);
  device->name = name;
  device->major = device->getAttribute(CapabilityMajor);
  device->minor = device->getAttribute(CapabilityMinor);
  TMEM_CUDA(cuDevicePrimaryCtxRetain, &device->context, device->device);
  setStack(*device);
  return device;
}

Device &tmem::cuda::getDevice() {
  static std::mutex opening;
  static auto &devices = *new std::map<int, std::unique_ptr<Device>>;
  std::lock_guard<std::mutex> lock(opening);
  std::unique_ptr<Device> &device = devices[defaultDevice];
  if (!device)
    device = openDevice(defaultDevice);
  return *device;
}

ScopedContext::ScopedContext() : device(getDevice()) {
  TMEM_CUDA(cuCtxPushCurrent, device.context);
}

ScopedContext::~ScopedContext() {
  CUcontext context;
  TMEM_CUDA(cuCtxPopCurrent, &context);
}

TMEM_EXPORT void mgpuSetDefaultDevice(int32_t device) {
  defaultDevice = device;
}

/// Like openDevice, without a context and without ending the process.
static std::string describeFirst(int &major, int &minor, std::string &name) {
  std::string reason;
  const Driver *driver = openDriver(reason);
  if (!driver)
    return reason;
  int count = 0;
  CUdevice device = 0;
  char text[256] = {};
  if (driver->cuDeviceGetCount(&count) || count == 0 ||
      driver->cuDeviceGet(&device, defaultDevice) ||
      driver->cuDeviceGetName(text, int(sizeof(text) - 1), device) ||
      driver->cuDeviceGetAttribute(&major, CapabilityMajor, device) ||
      driver->cuDeviceGetAttribute(&minor, CapabilityMinor, device))
    return "no NVIDIA GPU";
  name = text;
  return "";
}

int tmemCudaGetCapability(int *major, int *minor, char *name, int size) {
  std::string text;
  std::string reason = describeFirst(*major, *minor, text);
  if (name && size > 0)
    snprintf(name, size_t(size), "%s",
             reason.empty() ? text.c_str() : reason.c_str());
  return reason.empty() ? 0 : 1;
}
