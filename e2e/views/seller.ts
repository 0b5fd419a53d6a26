import type { LinkTo } from '../house/demo.ts'
import { fillIn } from '../house/person.ts'
import { press, type View } from './view.ts'

/** Maya's, who has a car at every stage of a sale. */
export const sellersViews = (link: LinkTo, packageId: string): View[] => [
  { path: '/home?view=selling', shows: 'Odyssey' },
  { path: '/home?view=selling', shows: 'Odyssey', open: press('Delete: 2018 Honda Civic EX') },
  { path: '/home?view=selling', shows: 'Odyssey', open: press('My Account') },
  { path: '/home?view=selling', shows: 'Odyssey', open: press(/^Notifications/) },
  { path: '/home?view=buying', shows: 'You have no purchases yet.' },
  { path: '/car/input', shows: 'Verify VIN' },
  { path: '/car/input', shows: 'Verify VIN', open: press('Add Car') },
  {
    path: '/car/input',
    shows: 'Verify VIN',
    open: {
      what: 'the confirm dialog',
      by: async (page) => {
        await fillIn(page, {
          'Vehicle Identification Number (VIN)': '1HGCM82633A004352',
          Make: 'Honda',
          Model: 'Accord',
          Year: '2003',
          Trim: 'EX',
          Mileage: '98400',
          Color: 'Silver',
        })
        await press('Add Car').by(page)
      },
    },
  },
  { path: `/car/seller?${link('camry')}`, shows: 'Share your car' },
  { path: `/car/seller?${link('camry')}`, shows: 'Share your car', open: press('Confirm Intended Buyer') },
  { path: `/car/seller?${link('camry')}`, shows: 'Share your car', open: press('Edit price') },
  { path: `/car/seller?${link('camry')}`, shows: 'Share your car', open: press('Edit details') },
  { path: `/car/seller?${link('outback')}`, shows: 'Price to be agreed' },
  { path: `/car/seller?${link('civic')}`, shows: 'Offered price' },
  { path: `/car/seller?${link('civic')}`, shows: 'Offered price', open: press('Confirm Intended Buyer') },
  { path: `/car/seller?${link('civic')}`, shows: 'Offered price', open: press('Confirm Buyer') },
  { path: `/car/seller?${link('civic')}`, shows: 'Offered price', open: press('Deny') },
  {
    path: `/car/seller?${link('civic')}`,
    shows: 'Offered price',
    open: {
      what: 'Edit details, other terms',
      by: async (page) => {
        await press('Edit details').by(page)
        await fillIn(page, { Mileage: '63100' })
        await press('Save').by(page)
      },
    },
  },
  { path: `/car/seller?${link('f150')}`, shows: 'Sign Agreement' },
  { path: `/car/seller?${link('f150')}`, shows: 'Sign Agreement', open: press('Sign Agreement') },
  {
    path: `/car/seller?${link('f150')}`,
    shows: 'Sign Agreement',
    open: press('Sign Agreement', 'I Agree'),
  },
  { path: `/car/seller?${link('f150')}`, shows: 'Sign Agreement', open: press('Release Buyer') },
  { path: `/car/seller?${link('cx5')}`, shows: "Waiting for Elena Marsh's signature" },
  { path: `/car/seller?${link('wrangler')}`, shows: 'Your Deal Has Been Passed to AutoNation' },
  {
    path: `/car/seller?${link('wrangler')}`,
    shows: 'Your Deal Has Been Passed to AutoNation',
    open: press('View agreement'),
  },
  { path: `/car/seller?${link('odyssey')}`, shows: 'Congratulations! Your deal is complete!' },
  { path: '/car/seller', shows: 'An error has occurred. Please try again later.' },
  { path: `/car?${link('civic')}`, shows: 'This is your own car, as your buyer sees it.' },
  { path: `/buyer?${link('civic')}`, shows: 'This is your own car.' },
  { path: `/pkg?pkgId=${packageId}`, shows: 'Raw JSON' },
  { path: '/pkg', shows: 'This package does not exist, or you are not part of it.' },
  { path: '/profile', shows: 'maya@example.com' },
  { path: '/profile', shows: 'maya@example.com', open: press('Edit Profile') },
  { path: '/settings', shows: 'Delete Account' },
  { path: '/settings', shows: 'Delete Account', open: press('Change Your Password') },
  { path: '/settings', shows: 'Delete Account', open: press('Delete Account') },
  { path: '/help', shows: 'FAQs', open: press('What is Keyturn?') },
  { path: '/wholesaler', shows: 'Unauthorized. This page is only for wholesalers.' },
  { path: '/listofcars', shows: 'Unauthorized. This page is only for wholesalers.' },
]

/** Daniel's: what Maya's sales have not come to. */
export const otherSellersViews = (link: LinkTo): View[] => [
  { path: `/car/seller?${link('mustang')}`, shows: 'The terms have changed since Elena Marsh signed.' },
]

/** Nora's and Omar's, who have nothing yet. */
export const newcomersViews: View[] = [
  { path: '/home?view=selling', shows: 'You have no cars listed. Add a car to get started.' },
  { path: '/home?view=buying', shows: 'You have no purchases yet.' },
  { path: '/home', shows: 'Dashboard', open: press(/^Notifications/) },
  { path: '/trade', shows: "You have not added any cars. Add a seller's car to get started." },
]
