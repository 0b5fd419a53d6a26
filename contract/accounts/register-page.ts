import type { RenderedPage, Side } from '../shared/pages.ts'

/**
 * The form that /register shows first, and the link parameters of its URL, which are not validated.
 */
export type RegisterPageData = { side: Side; link: { userId: string; vin: string } }

/** `hasPasskeys`: this server's address allows passkeys. */
export type LoginPageData = { hasPasskeys: boolean }

export type AccountFormPages = {
  login(page: LoginPageData): RenderedPage
  register(page: RegisterPageData): RenderedPage
}
