import { readdirSync } from 'node:fs'
import { relative } from 'node:path'

/**
 * Names classes of style modules by three letters or four: two for the module, small, and the others for the class. The
 * style sheet stands in the page, where longer names would be a fifteenth of what a phone waits for.
 */
export function shortNames(root: string): (name: string, file: string, css: string) => string {
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
    // What is no class, an animation say, has a name as well.
    return twoLetters(module) + (place < 0 ? `_${name}` : letters(place))
  }
}

const twoLetters = (at: number) => String.fromCharCode(97 + Math.floor(at / 26), 97 + (at % 26))

const letters = (at: number): string =>
  (at < 26 ? '' : letters(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26))
