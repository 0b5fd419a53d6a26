import { DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core'
import { cssVariables, textFace, theme } from '../components/theme/theme.ts'

type Variables = Record<string, string>

/**
 * Returns a style sheet with the theme variables that `css` uses, directly or through others. The
 * system's color scheme applies until a person chooses one, so it needs no script.
 */
export function themeCss(css: string): string {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme)
  const [library, own] = [defaultCssVariablesResolver(merged), cssVariables(merged)]
  const light: Variables = { ...library.variables, ...library.light, ...own.variables, ...own.light }
  const dark: Variables = { ...library.dark, ...own.dark }
  const used = usedNames(css, light, dark)
  const lines = (variables: Variables) =>
    Object.entries(variables)
      .filter(([name]) => used.has(name))
      .map(([name, value]) => `${name}:${value}`)
      .join(';')
  const night = lines(dark)
  return [
    `:root{${lines(withoutTypeface(light))}}`,
    `:root[data-typeface]{${lines(typefaceIn(light))}}`,
    `@media (scripting:none){:root{${lines(typefaceIn(light))}}}`,
    `:root[data-mantine-color-scheme="dark"]{${night}}`,
    `@media (prefers-color-scheme:dark){:root:not([data-mantine-color-scheme="light"]){${night}}}`,
  ].join('')
}

/** The text face applies once the device has cached it (`inline-scripts.ts`). */
const typefaceIn = (variables: Variables): Variables =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => value.includes(textFace)))

const withoutTypeface = (variables: Variables): Variables =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, value.replace(`'${textFace}', `, '')]),
  )

function usedNames(css: string, ...values: Variables[]): Set<string> {
  const used = new Set<string>()
  const look = (text: string) => {
    for (const [, name = ''] of text.matchAll(/var\(\s*(--[\w-]+)/g)) {
      if (used.has(name)) continue
      used.add(name)
      for (const variables of values) look(variables[name] ?? '')
    }
  }
  look(css)
  return used
}

/**
 * Shortens variable names to one or two characters, for pages where only the style sheet uses them.
 * A smaller page loads faster on a phone.
 */
export function withShortNames(css: string): string {
  const names = new Map<string, string>()
  return css.replace(/--(?:mantine|kt)-[\w-]+/g, (name) => {
    const short = names.get(name) ?? `--${names.size.toString(36)}`
    names.set(name, short)
    return short
  })
}
