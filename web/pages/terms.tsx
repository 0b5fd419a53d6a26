import { FillerPage } from './filler-page.tsx'
import { pageTexts } from './page-texts.ts'

export const Terms = () => <FillerPage {...pageTexts.terms} />
