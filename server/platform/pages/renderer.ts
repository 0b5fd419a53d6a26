import { existsSync } from 'node:fs'
import type { PreviewColors, StaticPages, WithInlineParts } from '@keyturn/contract/shared/pages.ts'

/** Bundles of `web/ssr`. The type parameters are the pages of the modules. */
export type Renderer<ModulePages, Forms> = {
  pages: WithInlineParts<StaticPages & ModulePages>
  forms: WithInlineParts<Forms>
  colors: PreviewColors
  /** Files of the first screen of each page. */
  firstFiles: Record<string, readonly string[]>
}

/** Loads the renderer, which is built from the web's source. Returns null if there is none. */
export async function loadRenderer<ModulePages, Forms>(
  folder: URL,
): Promise<Renderer<ModulePages, Forms> | null> {
  const [bundle, forms] = [new URL('render.js', folder), new URL('forms.js', folder)]
  // During a build, one may exist before the other.
  if (!existsSync(bundle) || !existsSync(forms)) return null
  const [common, ofForms] = await Promise.all([import(bundle.href), import(forms.href)])
  return { ...common, forms: ofForms.pages }
}
