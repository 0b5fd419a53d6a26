import { readdirSync } from 'node:fs'
import { relative } from 'node:path'

/**
 * Names CSS module classes with three or four letters: two lowercase letters for the module, the
 * rest for the class. Longer names would make the inlined style sheet about 7% larger.
 */
export function createClassNamer(root: string): (name: string, file: string, css: string) => string {
  const modules = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.module.css') && !path.includes('node_modules'))
    .sort()
  return (name, file, css) => {
    const classes = [...new Set([...css.matchAll(/\.([A-Za-z_][\w-]*)/g)].map(([, found]) => found))]
    const [module, place] = [
      modules.indexOf(relative(root, file.split('?', 1)[0] ?? '')),
      classes.indexOf(name),
    ]
    if (module < 0) throw new Error(`${file} is no module of styles below ${root}`)
    // Names other than classes, such as animations, need a short name too.
    return twoLetters(module) + (place < 0 ? `_${name}` : letters(place))
  }
}

const twoLetters = (at: number) => String.fromCharCode(97 + Math.floor(at / 26), 97 + (at % 26))

const letters = (at: number): string =>
  (at < 26 ? '' : letters(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26))
