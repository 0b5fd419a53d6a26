import './main.ts'
import { offerChecking } from '../../deals/verification/offer-checking.ts'

// /verify (R-deals-74): what each rendered page has, and the files.

offerChecking()
