-- Opens a file with the settings of docs/Editor.md, and prints what the server says of
-- it: diagnostics, hovering over the first tmem.load, completion.

local function say(text)
  io.stdout:write(text, '\n')
end

local function ask(method)
  local params = vim.lsp.util.make_position_params(0, 'utf-16')
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000)
  local _, answer = next(answers or {})
  return answer and answer.result
end

local function attached()
  return next(vim.lsp.buf_get_clients(0)) ~= nil
end

local function run()
  local published = false
  vim.api.nvim_create_autocmd('DiagnosticChanged', {
    callback = function() published = true end,
  })
  if not vim.wait(20000, attached, 20) then
    return say('no client')
  end
  vim.wait(20000, function() return published end, 20)
  local diagnostics = vim.diagnostic.get(0)
  say('diagnostics: ' .. #diagnostics)
  for _, diagnostic in ipairs(diagnostics) do
    say(diagnostic.lnum + 1 .. ':' .. diagnostic.col + 1 .. ': ' .. diagnostic.message)
  end

  vim.fn.cursor(1, 1)
  vim.fn.search('tmem\\.load')
  local hover = ask('textDocument/hover')
  say('hover:\n' .. (hover and hover.contents.value or ''))

  local line = vim.fn.search('return')
  vim.api.nvim_buf_set_lines(0, line - 1, line - 1, true, { '  tmem. ' })
  vim.fn.cursor(line, 8)
  local labels = {}
  local completion = ask('textDocument/completion') or {}
  for _, item in ipairs(completion.items or completion) do
    table.insert(labels, item.label)
  end
  table.sort(labels)
  say('completion: ' .. table.concat(labels, ' '))
end

vim.cmd('filetype on')
local version = vim.lsp.config and 1 or 2
dofile(vim.env.SETTINGS .. '/settings-' .. version .. '.lua')
vim.api.nvim_create_autocmd('VimEnter', {
  callback = function()
    vim.schedule(function()
      local ok, message = pcall(run)
      if not ok then say(message) end
      vim.cmd('qall!')
    end)
  end,
})
