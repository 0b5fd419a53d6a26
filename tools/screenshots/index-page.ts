/** A page for browsing the pictures with the arrow keys: up and down between screens, left and right between sizes. */
export function indexPage(pictures: readonly string[]): string {
  const nameOf = (picture: string) => picture.replace(/--.*/, '')
  const names = [...new Set(pictures.map(nameOf))].sort()
  const data = JSON.stringify(
    names.map((name) => ({ name, files: pictures.filter((picture) => nameOf(picture) === name) })),
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Keyturn, screen by screen</title>
<style>
  body { margin: 0; display: grid; grid-template-columns: 260px 1fr; height: 100vh; font: 14px/1.5 system-ui, sans-serif; }
  nav, main { overflow: auto; padding: 12px; }
  nav { border-right: 1px solid #ccc; }
  nav button { display: block; width: 100%; border: 0; background: none; text-align: left; padding: 2px 6px; font: inherit; cursor: pointer; }
  [aria-current] { background: #dbe7e2; font-weight: 600; }
  main { background: #888; }
  p { margin: 0 0 8px; color: #fff; }
  img { max-width: 100%; background: #fff; }
</style>
<nav></nav>
<main><p></p><img alt=""></main>
<script>
  const screens = ${data}
  let [screen, view] = [0, 0]
  const nav = document.querySelector('nav')
  const buttons = screens.map(({ name }, index) => {
    const button = document.createElement('button')
    button.textContent = name
    button.onclick = () => show(index, view)
    nav.append(button)
    return button
  })
  function show(nextScreen, nextView) {
    screen = (nextScreen + screens.length) % screens.length
    const { files } = screens[screen]
    view = (nextView + files.length) % files.length
    document.querySelector('p').textContent = files[view]
    document.querySelector('img').src = files[view]
    for (const button of buttons) button.removeAttribute('aria-current')
    buttons[screen].setAttribute('aria-current', 'true')
    buttons[screen].scrollIntoView({ block: 'nearest' })
    document.querySelector('main').scrollTop = 0
  }
  addEventListener('keydown', (event) => {
    const [down, right] = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key] ?? [0, 0]
    if (down || right) { event.preventDefault(); show(screen + down, view + right) }
  })
  show(0, 0)
</script>
</html>
`
}
