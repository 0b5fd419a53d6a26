import './main.ts'
import { enableFileChecking } from '../../features/agreements/verification/enable-file-checking.ts'

// /verify (R-deals-79): the script of every rendered page, and the file check.

enableFileChecking()
