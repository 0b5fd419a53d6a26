import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  rem,
  type VariantColorsResolver,
} from '@mantine/core'
import { darkColors, lightColors } from './base-colors.ts'

export type SideName = 'selling' | 'buying'

/** Ten shades, from the lightest to the darkest. */
const scale = (shades: string) => shades.split(' ') as unknown as MantineColorsTuple

// Shade 7 is used in the light scheme (at least 5.9:1 on white), shade 4 in the dark one (6.5:1).
const pine = scale('#F1F9F6 #DFF0EA #BFE0D5 #9BCEBD #76B7A3 #4D9A84 #2E7B67 #0F5C4A #034A3B #053B2F')
const ink = scale('#F1F7FF #E0ECFE #C1DAFD #9FC3F7 #7CAAEA #578AD2 #3B6CB0 #1F4B87 #143B6F #102E58')
const amber = scale('#FDF6EA #F9EAD3 #F0D4AC #E3BA7C #D19F57 #B67F26 #966300 #875700 #704900 #5E3D06')
const brick = scale('#FFF3F0 #FFE3DC #FFC7BA #FFA695 #F28470 #D85D48 #B43E2B #9E3322 #852718 #6D2216')
const green = scale('#F2F9F2 #E1F0E1 #C2E1C3 #A0CFA2 #7EB981 #579C5C #3A7D40 #2E6B34 #235828 #1E4922')
const slate = scale('#F5F7F9 #E7ECF0 #D0D9E1 #B5C3CF #99AAB9 #798C9C #5C6E7E #4A5A68 #3B4956 #313C46')
const gray = scale('#F6F4EF #F0EDE6 #E7E3DA #D6D1C6 #B9B4A8 #8A887E #5C635F #434947 #2C312F #1B1F1E')
const dark = scale('#ECEBE6 #CFD1CC #A8AEA9 #727A76 #3A413E #262C2A #1C201F #141716 #0F1211 #0A0C0B')

const colorScales = { pine, ink, amber, brick, green, slate }

/** Light-scheme colors for images that are not on a page, such as a link's preview picture. */
export const colors = {
  ground: lightColors.ground,
  text: lightColors.text,
  quiet: lightColors.quiet,
  brand: pine[7],
  paper: lightColors.card,
  shell: slate[0],
}

const lightShade = 7
const darkShade = 4
const px = (size: number) => rem(size)
const float = '0 1px 2px rgb(27 31 30 / 6%), 0 12px 32px -8px rgb(27 31 30 / 18%)'
export const textFace = 'Source Sans 3 Variable'
const sans = `'${textFace}', 'Source Sans Fallback', 'Source Sans Wide Fallback', system-ui, sans-serif`

/**
 * Text on a filled surface is white in the light scheme and dark in the dark one; both pass 4.5:1.
 */
const variantColors: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input)
  return input.variant === 'filled' ? { ...colors, color: 'var(--kt-on-filled)' } : colors
}

export const theme = createTheme({
  colors: { ...colorScales, gray, dark },
  primaryColor: 'pine',
  primaryShade: { light: lightShade, dark: darkShade },
  variantColorResolver: variantColors,
  white: lightColors.card,
  black: lightColors.text,
  fontFamily: sans,
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSizes: { xs: px(13), sm: px(15), md: px(17), lg: px(21), xl: px(28) },
  fontWeights: { regular: '400', medium: '550', bold: '700' },
  lineHeights: { xs: '1.4', sm: '1.5', md: '1.5', lg: '1.3', xl: '1.15' },
  headings: {
    fontFamily: sans,
    fontWeight: '700',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: px(28), lineHeight: '1.15' },
      h2: { fontSize: px(21), lineHeight: '1.15' },
      h3: { fontSize: px(17), lineHeight: '1.3' },
      h4: { fontSize: px(15), lineHeight: '1.3' },
      h5: { fontSize: px(15), lineHeight: '1.3' },
      h6: { fontSize: px(13), lineHeight: '1.3' },
    },
  },
  spacing: { xs: px(8), sm: px(12), md: px(16), lg: px(24), xl: px(32) },
  radius: { xs: px(4), sm: px(6), md: px(10), lg: px(10), xl: px(10) },
  defaultRadius: 'md',
  shadows: { xs: float, sm: float, md: float, lg: float, xl: float },
  cursorType: 'pointer',
  respectReducedMotion: true,
})

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    '--kt-display': 'clamp(2rem, 1.4rem + 2.6vw, 2.5rem)',
    // For the landing page's headline.
    '--kt-poster': 'clamp(2.25rem, 1.5rem + 3.4vw, 3.5rem)',
    '--kt-script': "'Caveat', 'Segoe Script', 'Bradley Hand', cursive",
    '--kt-column-wizard': px(680),
    '--kt-column-paper': px(760),
    '--kt-column-list': px(1080),
    '--kt-touch': px(44),
    '--kt-motion': '160ms ease-out',
    '--kt-float': float,
    // The agreement stays white in both schemes, so that it prints as it looks.
    '--kt-sheet': lightColors.card,
    '--kt-sheet-text': lightColors.text,
    '--kt-sheet-quiet': lightColors.quiet,
    '--kt-sheet-hairline': lightColors.hairline,
    '--kt-sheet-edge': gray[5],
    '--kt-sheet-ink': ink[8],
    // Camera pictures are dark around the edges in both schemes.
    '--kt-finder': darkColors.ground,
    '--kt-on-finder': lightColors.card,
  },
  light: {
    ...baseVariables(lightColors),
    ...scaleVariables('light'),
    '--kt-sunk': gray[0],
    '--kt-edge': gray[5],
    '--kt-studio-wall': gray[1],
    '--kt-studio-floor': gray[2],
    '--kt-studio-light': lightColors.ground,
    '--kt-on-filled': lightColors.card,
    '--kt-backdrop': 'rgb(27 31 30 / 45%)',
    '--mantine-color-error': brick[lightShade],
    '--mantine-color-success': green[lightShade],
    '--mantine-color-default-border': gray[3],
    '--mantine-color-disabled': gray[1],
    '--mantine-color-disabled-color': gray[6],
  },
  dark: {
    ...baseVariables(darkColors),
    ...scaleVariables('dark'),
    '--kt-sunk': dark[7],
    '--kt-edge': dark[3],
    '--kt-studio-wall': dark[5],
    '--kt-studio-floor': dark[4],
    '--kt-studio-light': dark[4],
    '--kt-on-filled': dark[8],
    '--kt-backdrop': 'rgb(0 0 0 / 60%)',
    '--mantine-color-error': brick[darkShade],
    '--mantine-color-success': green[darkShade],
    '--mantine-color-default': darkColors.card,
    '--mantine-color-default-border': dark[4],
    '--mantine-color-disabled': dark[5],
    '--mantine-color-disabled-color': dark[2],
  },
})

function baseVariables(tokens: typeof lightColors): Record<string, string> {
  return {
    '--kt-ground': tokens.ground,
    '--kt-card': tokens.card,
    '--kt-hairline': tokens.hairline,
    '--kt-quiet': tokens.quiet,
    '--mantine-color-body': tokens.card,
    '--mantine-color-text': tokens.text,
    '--mantine-color-dimmed': tokens.quiet,
    '--mantine-color-placeholder': tokens.quiet,
  }
}

/** Provides each scale as text color, background and border: `--kt-amber`, `-soft`, `-line`. */
function scaleVariables(scheme: 'light' | 'dark'): Record<string, string> {
  const variables: Record<string, string> = {}
  for (const [name, scale] of Object.entries(colorScales)) {
    const word = scale[scheme === 'light' ? lightShade : darkShade]
    const mixed = (percent: number) =>
      `color-mix(in srgb, ${word} ${percent}%, ${scheme === 'light' ? lightColors.card : darkColors.card})`
    const soft = scheme === 'light' ? scale[0] : mixed(12)
    Object.assign(variables, {
      [`--kt-${name}`]: word,
      [`--kt-${name}-line`]: scale[5],
      [`--kt-${name}-soft`]: soft,
      [`--mantine-color-${name}-light`]: scheme === 'light' ? scale[1] : mixed(18),
      // With a brighter background, the text would fall below 4.5:1.
      [`--mantine-color-${name}-light-hover`]: scheme === 'light' ? scale[2] : mixed(21),
      [`--mantine-color-${name}-light-color`]: word,
      [`--mantine-color-${name}-outline`]: word,
      [`--mantine-color-${name}-outline-hover`]: soft,
      [`--mantine-color-${name}-text`]: word,
    })
  }
  return variables
}
