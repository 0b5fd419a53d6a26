import { escapeHtml } from '@keyturn/contract/shared/html.ts'
import type { PageAddress, RenderedPage, Side } from '@keyturn/contract/shared/pages.ts'
import { photoFormats } from '@keyturn/contract/shared/photo-files.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import progress from '../components/navigation/navigation-progress.module.css'
// Colors elements by their side attribute.
import sides from '../components/navigation/side.module.css'
import { texts } from '../components/texts.ts'
import { darkColors, lightColors } from '../components/theme/base-colors.ts'

/**
 * `script` is for pages that need their script immediately. Others load it through `inline`, after
 * the text.
 */
type FrameParts = { style: string; script?: string; inline: string }
/**
 * `beginnings` is the start of each page of this kind, depending on whether the server knew the
 * visitor.
 */
export type DocumentShell = FrameParts & { beginnings: Record<Visitor, string> }
type Visitor = 'known' | 'none'

export function renderDocumentShell(parts: FrameParts): DocumentShell {
  const head = renderToStaticMarkup(
    <>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
      <meta name="color-scheme" content="light dark" />
      <meta name="format-detection" content="telephone=no" />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="manifest" href="/app.webmanifest" />
      <meta name="theme-color" content={lightColors.ground} media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content={darkColors.ground} media="(prefers-color-scheme: dark)" />
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own text, allowed by its hash */}
      <script dangerouslySetInnerHTML={{ __html: parts.inline }} />
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own style sheet, allowed by its hash */}
      <style dangerouslySetInnerHTML={{ __html: parts.style }} />
    </>,
  )
  const beginningFor = (visitor: Visitor) =>
    `<!doctype html><html lang="en" data-visitor="${visitor}"><head>${head}`
  return { ...parts, beginnings: { known: beginningFor('known'), none: beginningFor('none') } }
}

type Picture = { srcSet: string; sizes?: string; media?: string }
type DocumentProps = {
  frame: DocumentShell
  title: string
  side: Side
  /** The server knew the visitor, so the page's script does not ask again. */
  isKnown: boolean
  description?: string
  /** The link's preview in a chat. */
  preview?: { title: string; description: string; address: PageAddress }
  isListed?: boolean
  /**
   * Pictures that are visible without scrolling, as AVIF: in several sizes, or one per system color
   * scheme.
   */
  pictures?: readonly Picture[]
  /** The address of the list of files for the next page. */
  ahead?: string
  /** The markup of the page's content. */
  body: string
}

/** Renders a whole page that is readable before any script runs. */
export function renderDocument(props: DocumentProps): RenderedPage {
  const { frame, isKnown, side, ahead, body } = props
  const aheadAttribute = ahead ? ` data-ahead="${ahead}"` : ''
  return {
    beginning: frame.beginnings[isKnown ? 'known' : 'none'],
    rest: `${headTagsOf(props)}</head><body data-side="${side}"${aheadAttribute}>${bodyFrame[0]}${body}${bodyFrame[1]}</body></html>`,
  }
}

const bodyFrame = renderToStaticMarkup(
  <>
    <div className={progress.line} data-progress="navigation" aria-hidden hidden />
    <div className={sides.side}>here</div>
  </>,
).split('here') as [string, string]

/** Built without React, which would take a fifth of the page's rendering time. */
const headTagsOf = ({ frame, title, description, preview, pictures = [], isListed = true }: DocumentProps) =>
  [
    `<title>${escapeHtml(`${title} · ${texts.product}`)}</title>`,
    description ? `<meta name="description" content="${escapeHtml(description)}">` : '',
    isListed ? '' : '<meta name="robots" content="noindex">',
    preview ? previewTagsOf(preview) : '',
    ...pictures.map(preloadOf),
    frame.script
      ? `<script type="module" src="${escapeHtml(frame.script)}" fetchpriority="low"></script>`
      : '',
  ].join('')

const preloadOf = ({ srcSet, sizes, media }: Picture): string => {
  const sized = sizes ? ` imagesizes="${escapeHtml(sizes)}"` : ''
  const when = media ? ` media="${escapeHtml(media)}"` : ''
  return `<link rel="preload" as="image" type="${photoFormats.avif}"${when} imagesrcset="${escapeHtml(srcSet)}"${sized} fetchpriority="high">`
}

/**
 * Returns Open Graph tags, except those with the default value (`og:type`). X reads them too; only
 * the card type needs a tag of its own.
 */
function previewTagsOf({ title, description, address }: NonNullable<DocumentProps['preview']>): string {
  const [name, words, url] = [escapeHtml(title), escapeHtml(description), escapeHtml(address.url)]
  return `<meta property="og:site_name" content="${texts.product}">\
<meta property="og:title" content="${name}"><meta property="og:description" content="${words}">\
<meta property="og:url" content="${url}">\
<meta name="twitter:card" content="${address.image ? 'summary_large_image' : 'summary'}">\
${address.image ? pictureTagsOf(address.image, name) : ''}`
}

function pictureTagsOf({ url, type }: NonNullable<PageAddress['image']>, name: string): string {
  const address = escapeHtml(url)
  return `<meta property="og:image" content="${address}"><meta property="og:image:type" content="${type}">\
<meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">\
<meta property="og:image:alt" content="${name}">`
}
