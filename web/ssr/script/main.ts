import { fetchAhead } from './ahead.ts'
import { catchUp } from './early.ts'
import { offerInstalling } from './install.ts'
import { drawLater } from './later.ts'
import { openPhotos } from './photos.ts'
import { chooseScheme } from './scheme.ts'
import { announceLeaving, castShadow, goBack, sharePage, unfoldWhatIsLinked } from './small.ts'
import { followVisitor } from './visitor.ts'

// All that the pages which the server renders need of a script; each of them can be read and used without it.

offerInstalling()
// Before what sees a tap on a link as leaving the page.
openPhotos()
castShadow()
chooseScheme()
announceLeaving()
goBack()
sharePage()
unfoldWhatIsLinked()
followVisitor()
fetchAhead()
drawLater()
// What they do was set up before.
catchUp()
