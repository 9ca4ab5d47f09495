" Vim filetype plugin of PTO sources.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1
setlocal commentstring=#\ %s comments=s1:/*,mb:*,ex:*/,://,:#
setlocal noexpandtab shiftwidth=8 tabstop=8
setlocal include=^\\s*\\.include suffixesadd=.pto,.inc
" :make checks the file; its messages are those of gcc.
if !filereadable('Makefile') && !filereadable('makefile')
  setlocal makeprg=pto-as\ --check\ %:S
endif
let b:undo_ftplugin = 'setlocal cms< com< et< sw< ts< inc< sua< mp<'
