import './styles.ts'
import type { CarPages } from '@keyturn/contract/cars/page.ts'
import type { CommonPages, InlineParts, Side } from '@keyturn/contract/kit/pages.ts'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { firstPicture, PublicCarPage, previewOf, titleOf } from '../cars/public-car-page.tsx'
import { SampleAgreement } from '../deals/agreement/sample-agreement.tsx'
import { FillerPage } from '../pages/filler-page.tsx'
import { heroes, Landing } from '../pages/landing.tsx'
import { landingTexts } from '../pages/landing-texts.ts'
import { pageTexts } from '../pages/page-texts.ts'
import { addressOf } from '../pages/screen-picture.tsx'
import { schemes } from '../pages/screens.ts'
import { colors } from '../ui/frame/theme.ts'
import { readBuilt } from './built.ts'
import { Document } from './document.tsx'
import { schemeScript } from './scheme-script.ts'
import { themeCss } from './theme-css.ts'

// The entry of the bundle that the server loads (R-everywhere-40). What it takes and gives is agreed on in the contract, so neither side
// imports a source of the other.

const { css, script, font, ahead, firstFiles } = readBuilt('rendered')
const style = themeCss(css) + css
const frame = { style, script, font, inline: schemeScript }

const render = (page: ReactElement) => `<!doctype html>${renderToStaticMarkup(page)}`

export const pages: CommonPages & CarPages & { inline: InlineParts } = {
  inline: { script: schemeScript, style },

  landing: (page, address) => {
    const { title, description } = landingTexts
    return render(
      <Document
        frame={frame}
        title={title}
        description={description}
        preview={{ title, description, address }}
        side={page.side}
        isKnown={page.home !== null}
        ahead={ahead.toAccount}
        pictures={firstScreens(page.side)}
      >
        <Landing {...page} paper={<SampleAgreement holdId="hold" />} />
      </Document>,
    )
  },

  car: (page, address) => {
    const preview = previewOf(page)
    const picture = firstPicture(page)
    return render(
      <Document
        frame={frame}
        title={titleOf(page)}
        description={preview?.description}
        preview={preview ? { ...preview, address } : undefined}
        isListed={false}
        pictures={picture && [picture]}
        side="buying"
        isKnown={isKnown(page)}
        ahead={page.face === 'shared' || page.face === 'sold' ? ahead.toPurchase : ahead.toAccount}
      >
        <PublicCarPage page={page} />
      </Document>,
    )
  },

  privacy: () => filler(pageTexts.privacy),
  terms: () => filler(pageTexts.terms),
}

/** Where the picture is in the first view, and by the system's color scheme: what a person has chosen instead is known too late. */
const firstScreens = (side: Side) =>
  schemes.map((scheme) => ({
    srcSet: addressOf(heroes[side], scheme),
    media: `(min-width: 62em) and (prefers-color-scheme: ${scheme})`,
  }))

const filler = (texts: typeof pageTexts.privacy | typeof pageTexts.terms) =>
  render(
    <Document frame={frame} title={texts.title} side="selling" isKnown ahead={[]}>
      <FillerPage {...texts} />
    </Document>,
  )

function isKnown(page: Parameters<CarPages['car']>[0]): boolean {
  if (page.face === 'shared') return page.visitor !== null
  return page.face === 'invalid' ? page.isKnown : true
}

export { colors, firstFiles }
