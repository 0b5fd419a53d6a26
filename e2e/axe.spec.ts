import { becomes, type DemoName, packageIdOf } from './house/demo.ts'
import { faultsIn } from './house/eyes.ts'
import { expect, type Profile, test } from './house/test.ts'
import { administratorsViews } from './views/administrator.ts'
import { buyersViews, financingViews, tradersViews } from './views/buyer.ts'
import { newcomersViews, otherSellersViews, sellersViews } from './views/seller.ts'
import { strangersViews } from './views/stranger.ts'
import type { View } from './views/view.ts'
import { unapprovedViews, wholesalersViews } from './views/wholesaler.ts'

// R-everywhere-30
test.describe('every page is there for every eye, at both widths and in both colour schemes:', () => {
  // Some hundred looks at a page, each taken apart: on a machine that does other things as well, that takes its time.
  test.setTimeout(400_000)

  test('for strangers', async ({ openProfile }) => {
    const ofMaya = await becomes('maya', await openProfile())
    const stranger = await openProfile()
    stranger.watch.expects(/^GET \/cars\/public\/.* 404$/, /^GET \/auth\/email\/verify\/.* 400$/)
    await look(stranger, strangersViews(ofMaya))
  })

  // R-deals-51
  test('for a seller', async ({ openProfile }) => {
    const maya = await openProfile()
    const link = await becomes('maya', maya)
    maya.watch.expects(forbidden)
    await look(maya, sellersViews(link, await packageIdOf(link('wrangler'), maya)))
  })

  test('for a seller whose buyers wait', async ({ openProfile }) => {
    const daniel = await openProfile()
    await look(daniel, otherSellersViews(await becomes('daniel', daniel)))
  })

  // R-accounts-25
  test('for a buyer', async ({ openProfile }) => {
    const elena = await openProfile()
    const ofMaya = await becomes('maya', await openProfile())
    const ofDaniel = await becomes('daniel', await openProfile())
    await becomes('elena', elena)
    elena.watch.expects(/^GET \/cars\/vin\/\w+ 404$/)
    await look(elena, buyersViews(ofMaya, ofDaniel))
  })

  test('for a buyer with trades', async ({ openProfile }) => {
    const ofDaniel = await becomes('daniel', await openProfile())
    await lookAs('marcus', await openProfile(), tradersViews(ofDaniel))
    await lookAs('grace', await openProfile(), financingViews(ofDaniel))
  })

  test('for newcomers and wholesalers', async ({ openProfile }) => {
    await lookAs('nora', await openProfile(), newcomersViews)
    await lookAs('victor', await openProfile(), wholesalersViews)
    const wanda = await openProfile()
    wanda.watch.expects(forbidden)
    await lookAs('wanda', wanda, unapprovedViews)
  })

  // R-accounts-34
  test('for the administrator', async ({ mailbox, openProfile }) => {
    const { context } = await openProfile()
    await context.request.post('/auth/password/forgot', { data: { email: 'omar@example.com' } })
    await mailbox.linkIn('Choose a new password', 'omar@example.com')
    await look(mailbox, administratorsViews)
  })
})

const forbidden = /^GET \/progress\/all 403$/

async function lookAs(name: DemoName, profile: Profile, views: View[]) {
  await becomes(name, profile)
  await look(profile, views)
}

async function look({ page }: Pick<Profile, 'page'>, views: View[]) {
  for (const { path, shows, open } of views) {
    const name = open ? `${path}, ${open.what}` : path
    await page.goto(path)
    await expect(page.getByText(shows).first(), name).toBeVisible()
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    await open?.by(page)
    expect.soft(await faultsIn(page), name).toEqual([])
  }
}
