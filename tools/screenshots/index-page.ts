/** Returns a page with all pictures: one row per screen, with its sizes side by side. */
export function renderIndexPage(pictures: readonly string[]): string {
  const nameOf = (picture: string) => picture.replace(/--.*/, '')
  const names = [...new Set(pictures.map(nameOf))].sort()
  const rowOf = (name: string) => {
    const files = pictures.filter((picture) => nameOf(picture) === name)
    const shown = files.map(
      (file) => `<a href="${file}"><img loading="lazy" src="${file}" alt="${file}"></a>`,
    )
    return `<h2 id="${name}">${name}</h2><p>${shown.join('')}</p>`
  }
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Keyturn, screen by screen</title>
<style>
  body { margin: 12px; background: #888; font: 14px/1.5 system-ui, sans-serif; }
  p { display: flex; gap: 12px; overflow: auto; }
  img { height: 80vh; background: #fff; }
</style>
${names.map(rowOf).join('\n')}
</html>
`
}
