import './styles.ts'
import { verificationTexts } from '@keyturn/contract/agreements/verification/verification-texts.ts'
import type { AgreementPages } from '@keyturn/contract/agreements/verify-page.ts'
import type { CarPages } from '@keyturn/contract/cars/car-pages.ts'
import {
  type InlineParts,
  type PageAddress,
  type StaticPages,
  type WithInlineParts,
  wholeHtml,
} from '@keyturn/contract/shared/pages.ts'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { colors } from '../components/theme/theme.ts'
import { SampleAgreement } from '../features/agreements/sample-agreement.tsx'
import { VerifyPage } from '../features/agreements/verification/verify-page.tsx'
import {
  carPagePreview,
  carPageTitle,
  firstPictureSources,
  PublicCarPage,
} from '../features/cars/public-car-page.tsx'
import { DevelopersPage } from '../features/public-pages/developers/developers-page.tsx'
import { developersTexts } from '../features/public-pages/developers/developers-texts.ts'
import { LandingPage } from '../features/public-pages/landing-page.tsx'
import { landingTexts } from '../features/public-pages/landing-texts.ts'
import { LegalPage, type LegalPageProps } from '../features/public-pages/legal-page.tsx'
import { pageTexts } from '../features/public-pages/page-texts.ts'
import { ServerPageFrame } from '../features/public-pages/server-page-frame.tsx'
import { readBuildArtifacts } from './build-artifacts.ts'
import { type DocumentShell, renderDocument, renderDocumentShell } from './document.tsx'
import { pageScript } from './inline-scripts.ts'
import { carPages, developersPageDocument, landingPages, verifyPages } from './page-data-examples.ts'
import { themeCss, withShortNames } from './theme-css.ts'

// The entry of the bundle that the server loads (R-everywhere-40). The contract defines its
// interface, so neither side imports the other's sources.

const built = readBuildArtifacts('rendered')
const { ahead, firstFiles } = built

const frame = (kind: string, script = built.script): DocumentShell => {
  const { css } = built.styleOf(kind)
  return renderDocumentShell({
    style: withShortNames(themeCss(css) + css),
    inline: pageScript({ script, font: built.font }),
  })
}
const frames = {
  landing: frame('landing'),
  car: frame('car'),
  verify: frame('verify', built.scriptOf('verify-page')),
  words: frame('words'),
  developers: frame('developers'),
}
const inlineOf = ({ inline: script, style }: DocumentShell): InlineParts => ({ script, style })

/** The frame of car pages is rendered once, because it would be half of the work for each page. */
const [beforeCar = '', afterCar = ''] = renderToStaticMarkup(<ServerPageFrame>here</ServerPageFrame>).split(
  '>here<',
)
const inFrame = (content: ReactElement) => `${beforeCar}>${renderToStaticMarkup(content)}<${afterCar}`

export const pages: WithInlineParts<StaticPages & CarPages & AgreementPages> = {
  inline: {
    landing: inlineOf(frames.landing),
    car: inlineOf(frames.car),
    verify: inlineOf(frames.verify),
    privacy: inlineOf(frames.words),
    terms: inlineOf(frames.words),
    developers: inlineOf(frames.developers),
  },

  landing: (page, address) => {
    const { title, description } = landingTexts
    const content = <LandingPage {...page} paper={<SampleAgreement text={page.agreement} holdId="hold" />} />
    return renderDocument({
      frame: frames.landing,
      title,
      description,
      preview: { title, description, address },
      side: page.side,
      isKnown: page.home !== null,
      ahead: ahead.toAccount,
      body: renderToStaticMarkup(content),
    })
  },

  car: (page, address) => {
    const preview = carPagePreview(page)
    const picture = firstPictureSources(page)
    return renderDocument({
      frame: frames.car,
      title: carPageTitle(page),
      description: preview?.description,
      preview: preview ? { ...preview, address } : undefined,
      isListed: false,
      pictures: picture && [picture],
      side: 'buying',
      isKnown: isKnown(page),
      ahead: page.face === 'shared' || page.face === 'sold' ? ahead.toPurchase : ahead.toAccount,
      body: inFrame(<PublicCarPage page={page} />),
    })
  },

  verify: (page, address) => {
    const { title, description } = verificationTexts
    return renderDocument({
      frame: frames.verify,
      title,
      description,
      preview: { title, description, address },
      isListed: page.number === null,
      side: 'selling',
      isKnown: true,
      body: renderToStaticMarkup(<VerifyPage {...page} />),
    })
  },

  privacy: (own) => legalPage(own ?? pageTexts.privacy),
  terms: (own) => legalPage(own ?? pageTexts.terms),

  developers: (document) =>
    renderDocument({
      frame: frames.developers,
      title: developersTexts.title,
      description: developersTexts.description,
      side: 'selling',
      isKnown: true,
      body: renderToStaticMarkup(<DevelopersPage document={document} />),
    }),
}

const legalPage = (text: LegalPageProps) =>
  renderDocument({
    frame: frames.words,
    title: text.title,
    side: 'selling',
    isKnown: true,
    body: renderToStaticMarkup(<LegalPage {...text} />),
  })

function isKnown(page: Parameters<CarPages['car']>[0]): boolean {
  if (page.face === 'shared') return page.visitor !== null
  return page.face === 'invalid' || page.face === 'unavailable' ? page.isKnown : true
}

const anywhere: PageAddress = { url: '', image: null }

/** Returns what the build needs to reduce each style sheet, with the fonts that it needs. */
export const toCut = () => {
  const kind = (name: string, faces: RegExp, shown: readonly string[]) => ({
    file: built.styleOf(name).reducedUrl,
    css: built.css,
    html: [built.scriptText(), ...shown].join('\n').replace(/<style>.*?<\/style>/gs, ''),
    faces,
  })
  return [
    // All text is in English, but a seller's name may contain any characters.
    kind(
      'landing',
      /english|latin-500/,
      landingPages.map((page) => wholeHtml(pages.landing(page, anywhere))),
    ),
    kind(
      'car',
      /source-sans/,
      carPages.map((page) => wholeHtml(pages.car(page, anywhere))),
    ),
    kind(
      'verify',
      /source-sans/,
      verifyPages.map((page) => wholeHtml(pages.verify(page, anywhere))),
    ),
    kind(
      'words',
      /source-sans.*(english|latin-wght)/,
      [pages.privacy(null), pages.terms(null)].map(wholeHtml),
    ),
    kind('developers', /source-sans.*(english|latin-wght)/, [
      wholeHtml(pages.developers(developersPageDocument())),
    ]),
  ]
}

/**
 * The build writes these lists next to the app's files. The pages of both bundles reference them.
 */
export const { listsAhead } = built

export { colors, firstFiles }
