import './main.ts'
import { offerChecking } from '../../features/agreements/verification/offer-checking.ts'

// /verify (R-deals-79): what each rendered page has, and the files.

offerChecking()
