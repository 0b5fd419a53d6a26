import { fetchAhead } from './ahead.ts'
import { offerInstalling } from './install.ts'
import { chooseScheme } from './scheme.ts'
import { announceLeaving, castShadow, goBack, sharePage } from './small.ts'
import { followVisitor } from './visitor.ts'

// All that the pages which the server renders need of a script; each of them can be read and used without it.

offerInstalling()
castShadow()
chooseScheme()
announceLeaving()
goBack()
sharePage()
followVisitor()
fetchAhead()
