import { dealerEvent1 } from '../dealer-events-1/dealer-events.ts'
import { deliveredPackage2 } from '../package-2/delivered-package.ts'

// The body of the webhook that passes a package of version 2. Released: never edited. A change is a new version
// (docs/how-to.md).

const [passed] = dealerEvent1.options

export const dealerEvent2 = passed.extend({ data: deliveredPackage2 })
