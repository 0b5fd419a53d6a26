import type { RenderedPage, Side } from '../shared/pages.ts'

/**
 * The form that /register shows first, and the link parameters of its URL, which are not validated.
 */
export type RegisterPageData = { side: Side; link: { userId: string; vin: string } }

export type AccountFormPages = {
  login(): RenderedPage
  register(page: RegisterPageData): RenderedPage
}
