import { pageTexts } from '@keyturn/contract/accounts/page-texts.ts'
import { FillerPage } from './filler-page.tsx'

export const Privacy = () => <FillerPage {...pageTexts.privacy} />
