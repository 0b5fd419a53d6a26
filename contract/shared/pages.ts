import type { OwnText1 } from '../frozen/own-agreement-1/sheet.ts'
import type { OpenApiDocument } from '../openapi/document.ts'

/** Pages that the server renders; the browser renders all others. */
export const serverRenderedPages = [
  '/',
  '/car',
  '/privacy',
  '/tos',
  '/developers',
  '/verify',
  '/login',
  '/register',
  '/register/seller',
  '/register/buyer',
  '/buy-this-car',
] as const

/** Pages that require a session (R-accounts-24), as in the route table (`tools/views.test.ts`). */
export const protectedPages = [
  '/car/input',
  '/car/seller',
  '/buyer',
  '/trade',
  '/trade/input',
  '/home',
  '/wholesaler',
  '/listofcars',
  '/pkg',
  '/profile',
  '/settings',
  '/settings/data',
  '/help',
] as const

/** All pages of the app; `:address` matches any one segment. */
export const appPages = [
  '/login/link',
  '/email/verify',
  '/email/:address',
  '/password/forgot',
  '/password/reset',
  '/dev',
  '/dev/invitation',
  '/dealer',
  ...protectedPages,
] as const

export const isAppPage = (path: string): boolean => appPatterns.some((pattern) => pattern.test(path))
const appPatterns = appPages.map((page) => new RegExp(`^${page.replace(/:[a-z]+/, '[^/]+')}/?$`))

export const isProtectedPage = (path: string): boolean =>
  protectedPages.some((page) => page === path.replace(/\/$/, ''))

/**
 * Query parameter with the page to return to after a form; the form's script removes it from the
 * URL.
 */
export const returnToParam = 'wanted'

export const isServerRenderedPage = (path: string): boolean =>
  serverRenderedPages.some((page) => page === path)

/**
 * Responses preloaded into a page of the app for a signed-in visitor (R-everywhere-44), by URL.
 * They are inert data in a script element with this id.
 */
export type PreloadedResponses = Record<string, { body: unknown; link: string | null }>
export const preloadedResponsesId = 'first-answers'
/**
 * The `<meta>` name for the position up to which a page's preloaded responses include changes
 * (R-notifications-19).
 */
export const eventPositionName = 'position-of-changes'

/** The party of a sale that a page addresses. */
export type Side = 'selling' | 'buying'

/** The operator's own text of a page. */
export type LegalText = {
  title: string
  /** Paragraphs before the first section. */
  opening: readonly string[]
  sections: readonly { title: string; paragraphs: readonly string[] }[]
}

/** Input of the landing page besides its texts. */
export type LandingPageData = {
  side: Side
  /** The car in the URL, to which a visitor returns; either part may be missing. */
  link: { userId?: string; vin?: string }
  /** Start page of a signed-in visitor; null for everybody else. */
  home: string | null
  /** The operator's own text of the agreement; null: ours. */
  agreement: OwnText1 | null
  /** How many states have a trade-in credit by the product's own tables. */
  creditStates: number
  /** The operator's postal address. */
  contactAddress: string
  testimonials: { isSample: boolean; said: readonly { name: string; stars: number; text: string }[] }
}

/** Preview metadata of a rendered page. */
export type PageAddress = {
  /** Absolute URL. */
  url: string
  /** 1200 by 630 pixels, with an absolute URL; null when there is none. */
  image: { url: string; type: 'image/jpeg' | 'image/png' } | null
}

/** The preview image of a car's link: with a photo, or drawn. */
export const previewPaths = ['/car/preview.jpg', '/car/preview.png'] as const

/**
 * A document in two parts. `beginning`, up to the end of its style sheet, is larger and shared by
 * many documents, so it is compressed only once.
 */
export type RenderedPage = { beginning: string; rest: string }
export const wholeHtml = ({ beginning, rest }: RenderedPage): string => beginning + rest

/** Pages that belong to no module. */
export type StaticPages = {
  landing(page: LandingPageData, address: PageAddress): RenderedPage
  /** With null, placeholders. */
  privacy(own: LegalText | null): RenderedPage
  terms(own: LegalText | null): RenderedPage
  developers(document: OpenApiDocument): RenderedPage
}

/** Inline parts of a document, which its content security policy must allow verbatim. */
export type InlineParts = {
  script: string
  style: string
  /** Elements have inline styles, so any style is allowed. */
  allowsStyles?: boolean
}

/** Pages with the inline parts of their documents. */
export type WithInlineParts<Pages> = Pages & { inline: Record<keyof Pages, InlineParts> }

/** Theme colors for the preview image of a link. */
export type PreviewColors = Record<'ground' | 'text' | 'quiet' | 'brand' | 'paper' | 'shell', string>
