import './main.ts'
import { enableFileChecking } from '../../features/agreements/verification/enable-file-checking.ts'

// The script of /verify (R-deals-79): that of every rendered page, and the file check.

enableFileChecking()
