/**
 * Drives the tabs of a server-rendered page by tap and arrow keys, as Mantine does. A hidden
 * panel's content is kept in a template, so that its labels stay unique and its typed values
 * survive.
 */
export function bindTabs(): void {
  const tabs = [...document.querySelectorAll<HTMLElement>('[role=tab]')]
  const choose = (chosen: HTMLElement) => {
    for (const tab of tabs) {
      const isChosen = tab === chosen
      tab.setAttribute('aria-selected', String(isChosen))
      tab.tabIndex = isChosen ? 0 : -1
      if (isChosen) tab.dataset.active = 'true'
      else delete tab.dataset.active
      const panel = panelOf(tab)
      if (panel && panel.hidden === isChosen) show(panel, isChosen)
    }
  }
  for (const [place, tab] of tabs.entries()) {
    tab.setAttribute('aria-controls', panelOf(tab)?.id ?? '')
    tab.addEventListener('click', () => choose(tab))
    tab.addEventListener('keydown', (event) => {
      const next = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: -1 }[event.key]
      const to = next === undefined ? undefined : tabs.at(next === tabs.length ? 0 : next)
      if (!to) return
      event.preventDefault()
      to.focus()
      choose(to)
    })
  }
}

function show(panel: HTMLElement, isShown: boolean): void {
  panel.hidden = !isShown
  const { firstElementChild: inside } = panel
  if (isShown) {
    if (inside instanceof HTMLTemplateElement) inside.replaceWith(inside.content)
    return
  }
  const template = document.createElement('template')
  template.content.append(...panel.childNodes)
  panel.replaceChildren(template)
}

const panelOf = (tab: HTMLElement) =>
  document.querySelector<HTMLElement>(`[role=tabpanel][aria-labelledby="${tab.id}"]`)
