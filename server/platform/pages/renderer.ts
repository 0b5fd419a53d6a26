import { existsSync } from 'node:fs'
import type { CommonPages, PreviewColors, WithInline } from '@keyturn/contract/shared/pages.ts'

/** The bundles of `web/ssr` as the build left them; what else they render, the rooms know. */
export type Renderer<Rooms, Forms> = {
  pages: WithInline<CommonPages & Rooms>
  forms: WithInline<Forms>
  colors: PreviewColors
  /** The app's files of each page's first screen. */
  firstFiles: Record<string, readonly string[]>
}

/**
 * The renderer of the public pages, from the output of the build: server and web share the contract, and no source. Null
 * where nothing was built.
 */
export async function loadRenderer<Rooms, Forms>(folder: URL): Promise<Renderer<Rooms, Forms> | null> {
  const [bundle, forms] = [new URL('render.js', folder), new URL('forms.js', folder)]
  // While they are being made one may be there before the other.
  if (!existsSync(bundle) || !existsSync(forms)) return null
  const [common, ofForms] = await Promise.all([import(bundle.href), import(forms.href)])
  return { ...common, forms: ofForms.pages }
}
