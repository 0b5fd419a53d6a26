import { existsSync } from 'node:fs'
import type { CommonPages, InlineParts, PreviewColors } from '@keyturn/contract/kit/pages.ts'

/** The bundle of `web/ssr` as the build left it; what else it renders, the rooms know. */
export type Renderer<Rooms> = { pages: CommonPages & Rooms & { inline: InlineParts }; colors: PreviewColors }

/**
 * The renderer of the public pages, from the output of the build: server and web share the contract, and no source. Null
 * where nothing was built.
 */
export async function loadRenderer<Rooms>(folder: URL): Promise<Renderer<Rooms> | null> {
  const bundle = new URL('render.js', folder)
  return existsSync(bundle) ? import(bundle.href) : null
}
