import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { termSheetTexts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { sellingTexts } from '@keyturn/contract/deals/selling-texts.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import type { ScreenName } from '../../web/features/public-pages/product-screens.ts'

const web = resolve(import.meta.dirname, '../../web')
export const pictureFolder = join(web, 'features/public-pages/pictures')

/** What the visible part of each screen is made of: files of the web, and texts of the contract. */
const sources: Record<ScreenName, { files: readonly string[]; texts: unknown }> = {
  'add-car': { files: ['features/cars/vin-fields.tsx'], texts: [carTexts.add, carTexts.fields] },
  share: {
    files: [
      'features/deals/selling/share/share-panel.tsx',
      'features/deals/selling/share/share-panel.module.css',
    ],
    texts: [carTexts.share, sellingTexts.shareTitle],
  },
  confirm: {
    files: [
      'features/deals/selling/share/request-table.tsx',
      'features/deals/selling/share/request-table.module.css',
    ],
    texts: [],
  },
  'sign-selling': {
    files: ['features/agreements/agreement-sheet.tsx', 'features/agreements/agreement-sheet.module.css'],
    texts: [],
  },
  car: {
    files: ['features/cars/public-car-page.tsx', 'features/cars/public-car-page.module.css'],
    texts: carTexts.public,
  },
  trade: {
    files: [
      'features/trades/owner/trade-list.tsx',
      'features/trades/owner/owner-moves.tsx',
      'features/cars/row-facts.tsx',
      'features/cars/row-facts.module.css',
      'components/lists/dense-table.module.css',
    ],
    texts: tradeTexts.dashboard,
  },
  price: { files: ['features/deals/buying/stages/request-form.tsx'], texts: wizardTexts.request },
  'sign-buying': {
    files: ['features/agreements/signing-dialog.tsx', 'features/agreements/signing-summary.tsx'],
    texts: termSheetTexts.summary,
  },
}

/** Sources of all screens. */
const common = ['components/theme/theme.ts']

const hashesFile = join(pictureFolder, 'taken-from.json')
type Hashes = Partial<Record<ScreenName, string>>
const readHashes = (): Hashes => (existsSync(hashesFile) ? JSON.parse(readFileSync(hashesFile, 'utf8')) : {})

function hashSources(screen: ScreenName): string {
  const { files, texts } = sources[screen]
  const hash = createHash('sha256').update(JSON.stringify(texts))
  for (const file of [...common, ...files]) hash.update(readFileSync(join(web, file)))
  return hash.digest('hex').slice(0, 16)
}

/** Records that a screen's pictures were taken from its current sources. */
export function recordSources(screen: ScreenName): void {
  const hashes = { ...readHashes(), [screen]: hashSources(screen) }
  writeFileSync(hashesFile, `${JSON.stringify(hashes, null, 2)}\n`)
}

/** Returns the screens whose sources have changed since their pictures were taken. */
export function findStaleScreens(): ScreenName[] {
  const taken = readHashes()
  return (Object.keys(sources) as ScreenName[]).filter((screen) => taken[screen] !== hashSources(screen))
}
