import { fetchAhead } from './ahead.ts'
import { catchUp } from './early.ts'
import { offerInstalling } from './install.ts'
import { drawLater } from './later.ts'
import { openPhotos } from './photos.ts'
import { chooseScheme } from './scheme.ts'
import { announceLeaving, castShadow, goBack, sharePage, unfoldWhatIsLinked } from './small.ts'
import { followVisitor } from './visitor.ts'

// The script of the server-rendered pages without forms; each page works without it.

offerInstalling()
// Runs before the handler that treats a tap on a link as leaving the page.
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
// Runs last, because it needs the handlers above.
catchUp()
