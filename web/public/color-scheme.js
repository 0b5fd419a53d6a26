// Runs before the first paint, so that a person who chose a scheme never sees the other one flash by.
// Its own file because the content security policy forbids inline scripts.
;(() => {
  let chosen = 'auto'
  try {
    chosen = localStorage.getItem('keyturn-color-scheme') || 'auto'
  } catch {
    // Storage may be forbidden; the system's scheme is a good answer then.
  }
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)').matches
  const scheme = chosen === 'light' || chosen === 'dark' ? chosen : systemIsDark ? 'dark' : 'light'
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
})()
