import './main.ts'
import { offerChecking } from '../../features/agreements/verification/offer-checking.ts'

// /verify (R-deals-79): the script of every rendered page, and the file check.

offerChecking()
