// Runs before the first paint, so that a chosen color scheme applies from the start. A separate
// file, because the content security policy forbids inline scripts.
;(() => {
  let chosen = 'auto'
  try {
    chosen = localStorage.getItem('keyturn-color-scheme') || 'auto'
  } catch {
    // Where storage is blocked, the system's scheme applies.
  }
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)').matches
  const scheme = chosen === 'light' || chosen === 'dark' ? chosen : systemIsDark ? 'dark' : 'light'
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
})()
