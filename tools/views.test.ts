import { expect, test } from 'vitest'
import { administratorsViews } from '../e2e/views/administrator.ts'
import { buyersViews, financingViews, tradersViews } from '../e2e/views/buyer.ts'
import { newcomersViews, otherSellersViews, sellersViews } from '../e2e/views/seller.ts'
import { strangersViews } from '../e2e/views/stranger.ts'
import { unapprovedViews, wholesalersViews } from '../e2e/views/wholesaler.ts'
import { router } from '../web/app.tsx'

const link = () => 'userId=1&vin=2'
const views = [
  administratorsViews,
  buyersViews(link, link),
  financingViews(link),
  tradersViews(link),
  newcomersViews,
  sellersViews(link, 'package'),
  otherSellersViews(link),
  strangersViews(link),
  unapprovedViews,
  wholesalersViews,
].flat()

/** Pages that only lead elsewhere have no screen of their own. */
const pages = Object.values(router.routesByPath).filter((route) => route.options.component)

test('every page of the route table is looked at by axe, as somebody who may see it', () => {
  const seen = views.map(({ path }) => pageAt(path.split('?', 1)[0] ?? path))
  expect(pages.length).toBeGreaterThan(20)
  expect(pages.map((page) => page.fullPath).filter((path) => !seen.includes(path))).toEqual([])
  // And nothing is looked at that is no page: it would show the landing page.
  expect(views.filter((_, i) => seen[i] === undefined)).toEqual([])
})

/** The page at an address; a page with a name in its path only where none is called exactly so. */
function pageAt(address: string): string | undefined {
  const paths = pages.map((page) => page.fullPath)
  const pattern = (path: string) => new RegExp(`^${path.replace(/\$\w+/g, '[^/]+')}$`)
  return paths.find((path) => path === address) ?? paths.find((path) => pattern(path).test(address))
}
