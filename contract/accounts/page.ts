import type { Rendered, Side } from '../shared/pages.ts'

/** Which form /register shows first, and the link in its address, as it was typed. */
export type RegisterPage = { side: Side; link: { userId: string; vin: string } }

export type AccountForms = {
  login(): Rendered
  register(page: RegisterPage): Rendered
}
