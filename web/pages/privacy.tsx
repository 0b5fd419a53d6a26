import { FillerPage } from './filler-page.tsx'
import { pageTexts } from './page-texts.ts'

export const Privacy = () => <FillerPage {...pageTexts.privacy} />
