import type { LinkTo } from '../house/demo.ts'
import { press, type View } from './view.ts'

/** Elena's, who has a purchase at nearly every stage. */
export const buyersViews = (ofMaya: LinkTo, ofDaniel: LinkTo): View[] => [
  { path: '/home?view=buying', shows: 'Not requested yet' },
  { path: '/home?view=buying', shows: 'Not requested yet', open: press(/^See answer/) },
  { path: '/home?view=buying', shows: 'Not requested yet', open: press(/^Edit/) },
  { path: '/home?view=buying', shows: 'Not requested yet', open: press(/^Delete/) },
  { path: '/home?view=buying', shows: 'Not requested yet', open: press('My Account') },
  { path: '/home?view=buying', shows: 'Not requested yet', open: press(/^Notifications/) },
  { path: '/buyer', shows: 'Enter VIN to Load Progress' },
  { path: '/buyer', shows: 'Enter VIN to Load Progress', open: press('Submit') },
  { path: '/buyer?vin=1HGCM82633A004352', shows: 'No car found for VIN: 1HGCM82633A004352' },
  { path: `/buyer?${ofMaya('outback')}`, shows: 'Do You Have A Trade?' },
  { path: `/buyer?${ofMaya('outback')}`, shows: 'Do You Have A Trade?', open: press('Continue') },
  { path: `/buyer?${ofDaniel('sonata')}`, shows: 'Do You Need Financing?' },
  { path: `/buyer?${ofDaniel('silverado')}`, shows: 'Agreed price' },
  { path: `/buyer?${ofDaniel('silverado')}`, shows: 'Agreed price', open: press('Submit Request') },
  { path: `/buyer?${ofMaya('civic')}`, shows: 'Sign Agreement' },
  { path: `/buyer?${ofMaya('civic')}`, shows: 'Sign Agreement', open: press('Edit Price') },
  { path: `/buyer?${ofMaya('civic')}`, shows: 'Sign Agreement', open: press('Delete Request') },
  { path: `/buyer?${ofMaya('f150')}`, shows: 'The sale of this car is pending with another buyer.' },
  { path: `/buyer?${ofDaniel('mini')}`, shows: 'The 72 hours are over.' },
  { path: `/buyer?${ofDaniel('mustang')}`, shows: 'The terms have changed since you signed.' },
  { path: `/buyer?${ofDaniel('altima')}`, shows: 'Request Rejected' },
  { path: `/buyer?${ofDaniel('soul')}`, shows: 'Waiting for Daniel Okafor to confirm and sign' },
  { path: `/buyer?${ofMaya('cx5')}`, shows: 'The car is held for you until' },
  {
    path: `/buyer?${ofMaya('cx5')}`,
    shows: 'The car is held for you until',
    open: press('Sign Agreement', 'I Agree'),
  },
  { path: `/buyer?${ofMaya('wrangler')}`, shows: 'Both of you have signed.' },
  { path: `/buyer?${ofMaya('odyssey')}`, shows: 'The dealer has completed the sale.' },
  { path: `/car?${ofMaya('civic')}`, shows: 'Seller details' },
  { path: `/buy-this-car?${ofMaya('civic')}`, shows: 'Continue as Elena Marsh' },
]

/** Grace's: what financing would cost, and a purchase that waits for her trade. */
export const financingViews = (ofDaniel: LinkTo): View[] => [
  { path: `/buyer?${ofDaniel('sonata')}`, shows: 'Your estimate' },
  { path: `/buyer?${ofDaniel('jetta')}`, shows: 'TRADE APPROVAL PENDING' },
]

/** Marcus's, who has a trade in every state, and one to choose for a purchase. */
export const tradersViews = (ofDaniel: LinkTo): View[] => [
  { path: `/buyer?${ofDaniel('bmw')}`, shows: 'Add A New Or Existing Trade' },
  { path: '/trade', shows: '2012' },
  { path: '/trade', shows: '2012', open: press(/^View request/) },
  { path: '/trade', shows: '2012', open: press(/^Answer offer/) },
  { path: '/trade', shows: '2012', open: press(/^Answer offer/, 'Reject') },
  { path: '/trade', shows: '2012', open: press(/^Answer offer/, 'Counter Offer') },
  { path: '/trade', shows: '2012', open: press(/^View counter offer/) },
  { path: '/trade', shows: '2012', open: press(/^View offer/) },
  { path: '/trade', shows: '2012', open: press(/^Continue/) },
  { path: '/trade', shows: '2012', open: press(/^Delete/) },
  { path: '/trade/input', shows: 'Verify VIN' },
  { path: '/trade/input', shows: 'Verify VIN', open: press('Submit trade Info') },
]
