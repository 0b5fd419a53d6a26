import './forms-styles.ts'
import type { AccountForms, RegisterPage as RegisterPageGiven } from '@keyturn/contract/accounts/page.ts'
import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import type { BuyPage, CarForms } from '@keyturn/contract/cars/page.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import type { InlineParts, Side } from '@keyturn/contract/kit/pages.ts'
import { MantineProvider, MantineThemeProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { LoginPage } from '../accounts/login-page.tsx'
import { RegisterPage, titleOfSide } from '../accounts/register-page.tsx'
import { BuyThisCarPage } from '../cars/buy-this-car-page.tsx'
import { sideTheme, theme } from '../ui/frame/theme.ts'
import { components } from '../ui/frame/theme-components.ts'
import { readBuilt } from './built.ts'
import { Document } from './document.tsx'
import { formScript } from './form-script.ts'
import { themeCss } from './theme-css.ts'

// The entry of the bundle with the pages of forms (R-everywhere-43): made of the app's own fields, with the style sheet that those need.

const anyCar: BuyPage = {
  face: 'shared',
  link: { userId: '', vin: '' },
  isKnown: false,
  car: {
    ...{ vin: '', make: '', carModel: '', year: 0, trim: '', mileage: 0, color: '', payoff: false },
    ...{ bodyType: null, photos: [], price: null, status: 'ACCEPTED' },
  },
}

const { css, script, font, ahead } = readBuilt('forms')

type Page = {
  title: string
  side: Side
  isListed?: boolean
  isKnown?: boolean
  ahead: readonly string[]
  content: ReactNode
}

const withComponents = { ...theme, components }

const bodyOf = ({ side, content }: Pick<Page, 'side' | 'content'>) => (
  <MantineProvider theme={withComponents} withCssVariables={false} withGlobalClasses={false}>
    <MantineThemeProvider theme={sideTheme(side)}>{content}</MantineThemeProvider>
  </MantineProvider>
)

const render = (page: Page) =>
  `<!doctype html>${renderToStaticMarkup(
    <Document
      frame={{ style, script, font, inline: formScript }}
      title={page.title}
      isListed={page.isListed ?? true}
      side={page.side}
      isKnown={page.isKnown ?? false}
      ahead={page.ahead}
    >
      {bodyOf(page)}
    </Document>,
  )}`

const login: Page = {
  title: accountTexts.login.title,
  side: 'selling',
  ahead: ahead.toHome,
  content: <LoginPage />,
}

const registerOf = (page: RegisterPageGiven): Page => ({
  title: titleOfSide[page.side],
  // The switch colors the buyer's.
  side: 'selling',
  ahead: ahead.toWaiting,
  content: <RegisterPage page={page} />,
})

const buyOf = (page: BuyPage): Page => ({
  title: page.face === 'shared' ? carTexts.buyThisCar.interested : carTexts.public.invalid,
  side: 'buying',
  isListed: false,
  isKnown: page.face === 'shared' && page.isKnown,
  ahead: page.face === 'shared' ? ahead.toPurchase : [],
  content: <BuyThisCarPage page={page} />,
})

// Elements name variables of the theme, too.
const examples = [login, registerOf({ side: 'buying', link: { userId: '', vin: '' } }), buyOf(anyCar)]
const style = themeCss([css, ...examples.map((page) => renderToStaticMarkup(bodyOf(page)))].join('\n')) + css

export const pages: AccountForms & CarForms & { inline: InlineParts } = {
  inline: { script: formScript, style, allowsStyles: true },
  login: () => render(login),
  register: (page) => render(registerOf(page)),
  buyThisCar: (page) => render(buyOf(page)),
}
