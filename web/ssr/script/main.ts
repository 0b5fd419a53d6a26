import { enablePhotoViewer } from './enable-photo-viewer.ts'
import { offerInstall } from './offer-install.ts'
import {
  enableBackLinks,
  enableShareButtons,
  expandLinkedSection,
  shadowHeaderOnScroll,
  showProgressOnLeaving,
} from './page-behavior.ts'
import { prefetchApp } from './prefetch-app.ts'
import { renderDeferredParts } from './render-deferred-parts.ts'
import { replayEarlyClicks } from './replay-early-clicks.ts'
import { showVisitor } from './show-visitor.ts'

// The script of the server-rendered pages without forms. Each page works without it.

offerInstall()
// Must run before the handler that treats a tap on a link as leaving the page.
enablePhotoViewer()
shadowHeaderOnScroll()
showProgressOnLeaving()
enableBackLinks()
enableShareButtons()
expandLinkedSection()
showVisitor()
prefetchApp()
renderDeferredParts()
// Must run last, because it needs the handlers above.
replayEarlyClicks()
