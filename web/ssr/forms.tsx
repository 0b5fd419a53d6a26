import './forms-styles.ts'
import type {
  AccountFormPages,
  LoginPageData,
  RegisterPageData as RegisterPageGiven,
} from '@keyturn/contract/accounts/register-page.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import type { BuyPageData, CarFormPages } from '@keyturn/contract/cars/car-pages.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import {
  type InlineParts,
  type Side,
  type WithInlineParts,
  wholeHtml,
} from '@keyturn/contract/shared/pages.ts'
import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { theme } from '../components/theme/theme.ts'
import { themeComponents } from '../components/theme/theme-components.ts'
import { LoginPage } from '../features/accounts/forms/login-page.tsx'
import { RegisterPage, titleOfSide } from '../features/accounts/forms/register-page.tsx'
import { BuyThisCarPage } from '../features/cars/buy-this-car-page.tsx'
import { readBuildArtifacts } from './build-artifacts.ts'
import { type DocumentShell, renderDocument, renderDocumentShell } from './document.tsx'
import { formScript } from './inline-scripts.ts'
import { buyPages } from './page-data-examples.ts'
import { themeCss } from './theme-css.ts'

// The entry of the bundle with form pages (R-everywhere-43): the app's fields with their style
// sheet.

const built = readBuildArtifacts('forms')
const { ahead } = built

type Page = {
  title: string
  side: Side
  isListed?: boolean
  isKnown?: boolean
  ahead?: string
  content: ReactNode
}

const inline = formScript(built.font)

const withComponents = { ...theme, components: themeComponents }

const bodyOf = ({ content }: Pick<Page, 'content'>) => (
  <MantineProvider theme={withComponents} withCssVariables={false} withGlobalClasses={false}>
    {content}
  </MantineProvider>
)

const render = (page: Page, frame: DocumentShell) =>
  renderDocument({
    frame,
    title: page.title,
    isListed: page.isListed ?? true,
    side: page.side,
    isKnown: page.isKnown ?? false,
    ahead: page.ahead,
    body: renderToStaticMarkup(bodyOf(page)),
  })

const loginOf = ({ hasPasskeys }: LoginPageData): Page => ({
  title: accountTexts.login.title,
  side: 'selling',
  ahead: ahead.toHome,
  content: <LoginPage passkeyScript={hasPasskeys ? built.scriptOf('passkeys') : null} />,
})

const registerOf = (page: RegisterPageGiven): Page => ({
  title: titleOfSide[page.side],
  // The side switch changes this to the buyer's color.
  side: 'selling',
  ahead: ahead.toWaiting,
  content: <RegisterPage page={page} />,
})

const buyOf = (page: BuyPageData): Page => ({
  title: page.face === 'shared' ? carTexts.buyThisCar.interested : carTexts.public.invalid,
  side: 'buying',
  isListed: false,
  isKnown: page.face !== 'unsure' && page.isKnown,
  ahead: page.face === 'shared' ? ahead.toPurchase : undefined,
  content: <BuyThisCarPage page={page} />,
})

const variants = {
  login: [true, false].map((hasPasskeys) => loginOf({ hasPasskeys })),
  register: (['selling', 'buying'] as const).map((side) =>
    registerOf({ side, link: { userId: '', vin: '' } }),
  ),
  buyThisCar: buyPages.map(buyOf),
}
type Kind = keyof typeof variants
const shownOf = (kind: Kind) => variants[kind].map((page) => renderToStaticMarkup(bodyOf(page))).join('\n')

/** Inline markup also references theme variables. */
const frame = (kind: Kind): DocumentShell => {
  const { css } = built.styleOf(kind)
  return renderDocumentShell({
    style: themeCss(`${css}\n${shownOf(kind)}`) + css,
    script: built.script,
    inline,
  })
}
const frames = { login: frame('login'), register: frame('register'), buyThisCar: frame('buyThisCar') }
const inlineOf = ({ style }: DocumentShell): InlineParts => ({ script: inline, style, allowsStyles: true })

export const pages: WithInlineParts<AccountFormPages & CarFormPages> = {
  inline: {
    login: inlineOf(frames.login),
    register: inlineOf(frames.register),
    buyThisCar: inlineOf(frames.buyThisCar),
  },
  login: (page) => render(loginOf(page), frames.login),
  register: (page) => render(registerOf(page), frames.register),
  buyThisCar: (page) => render(buyOf(page), frames.buyThisCar),
}

const withoutStyle = renderDocumentShell({ style: '', script: built.script, inline })

/** Returns what the build needs to reduce the style sheet of each kind of page. */
export const toCut = () =>
  (Object.keys(variants) as Kind[]).map((kind) => ({
    file: built.styleOf(kind).reducedUrl,
    css: built.css,
    html: [built.scriptText(), ...variants[kind].map((page) => wholeHtml(render(page, withoutStyle)))].join(
      '\n',
    ),
    // Everything is in English except the text that a seller enters about a car.
    faces: kind === 'buyThisCar' ? /source-sans/ : /source-sans.*(english|latin-wght)/,
  }))
