/** `json` is for programs, `html` is for people: every browser opens it. */
export const dataFormats = ['json', 'html'] as const
export type DataFormat = (typeof dataFormats)[number]

/**
 * Who could see a person's data: a wholesaler with one of their trades, the other party of a
 * deal, the dealer of a signed one, or an administrator.
 */
export const contactLookKinds = ['wholesaler', 'party', 'dealer', 'administrator'] as const
export type ContactLookKind = (typeof contactLookKinds)[number]
