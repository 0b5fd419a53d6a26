import type { LinkTo } from '../house/demo.ts'
import { press, type View } from './view.ts'

const nobodysCar = `userId=${'0'.repeat(24)}&vin=1HGCM82633A004352`
const notYet = 9_999_999_999_999

/** What anybody can open. */
export const strangersViews = (ofMaya: LinkTo): View[] => [
  { path: '/', shows: 'How selling works' },
  {
    path: '/',
    shows: 'How selling works',
    open: { what: 'for buyers', by: (page) => page.getByText('Buy a car', { exact: true }).first().click() },
  },
  { path: '/privacy', shows: 'What we keep' },
  { path: '/tos', shows: 'The service' },
  { path: '/login', shows: 'Forgot password?' },
  { path: '/login', shows: 'Forgot password?', open: press('Log In') },
  { path: '/login/link', shows: 'This sign-in link has expired or was already used.' },
  { path: '/login/link?code=wrong', shows: 'This link signs you in on this device, once.' },
  { path: '/register/seller', shows: 'Terms of Service' },
  { path: '/register/seller', shows: 'Terms of Service', open: press('Create Account') },
  { path: '/register/buyer', shows: "Seller's VIN (optional)" },
  { path: '/email/somebody@example.com', shows: 'somebody@example.com' },
  { path: '/email/verify', shows: 'This link holds no code.' },
  { path: '/email/verify?code=wrong', shows: 'Your email verification code is invalid or has expired.' },
  { path: '/password/forgot', shows: 'Send Link' },
  { path: '/password/reset', shows: 'Your link has expired or is invalid.' },
  { path: `/password/reset?code=wrong&exp=${notYet}`, shows: 'Confirm Password' },
  { path: '/dev', shows: 'Username' },
  { path: `/car?${ofMaya('civic')}`, shows: 'Seller details' },
  { path: `/car?${ofMaya('cx5')}`, shows: 'Sale pending' },
  { path: '/car', shows: 'This link is invalid.' },
  { path: `/car?${nobodysCar}`, shows: 'This link is invalid.' },
  { path: `/buy-this-car?${ofMaya('civic')}`, shows: 'Create Account & Buy This Car' },
  {
    path: `/buy-this-car?${ofMaya('civic')}`,
    shows: 'Create Account & Buy This Car',
    open: { what: 'Sign In', by: (page) => page.getByRole('tab', { name: 'Sign In' }).click() },
  },
  { path: '/buy-this-car', shows: 'This link is invalid.' },
]
