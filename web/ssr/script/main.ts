import { prefetchApp } from './ahead.ts'
import { replayEarlyClicks } from './early.ts'
import { offerInstall } from './install.ts'
import { renderDeferredParts } from './later.ts'
import { enablePhotos } from './photos.ts'
import { enableSchemeSwitch } from './scheme.ts'
import {
  enableBackLinks,
  enableShareButtons,
  expandLinkedSection,
  shadowHeaderOnScroll,
  showProgressOnLeaving,
} from './small.ts'
import { showVisitor } from './visitor.ts'

// The script of the server-rendered pages without forms; each page works without it.

offerInstall()
// Runs before the handler that treats a tap on a link as leaving the page.
enablePhotos()
shadowHeaderOnScroll()
enableSchemeSwitch()
showProgressOnLeaving()
enableBackLinks()
enableShareButtons()
expandLinkedSection()
showVisitor()
prefetchApp()
renderDeferredParts()
// Runs last, because it needs the handlers above.
replayEarlyClicks()
