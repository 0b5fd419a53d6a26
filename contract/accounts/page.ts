import type { Rendered, Side } from '../shared/pages.ts'

/**
 * The form that /register shows first, and the link parameters of its URL, which are not validated.
 */
export type RegisterPage = { side: Side; link: { userId: string; vin: string } }

export type AccountForms = {
  login(): Rendered
  register(page: RegisterPage): Rendered
}
