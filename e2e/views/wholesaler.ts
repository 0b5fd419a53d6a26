import { press, type View } from './view.ts'

/** Victor's, who prices the trades of all buyers. */
export const wholesalersViews: View[] = [
  { path: '/wholesaler', shows: 'Toyota Prius' },
  { path: '/wholesaler', shows: 'Toyota Prius', open: press(/^Submit Offer/) },
  { path: '/wholesaler', shows: 'Toyota Prius', open: press(/^History/) },
  { path: '/wholesaler', shows: 'Toyota Prius', open: press('My Account') },
  { path: '/listofcars', shows: 'Elena Marsh' },
  { path: '/profile', shows: 'victor@example.com' },
]

/** Wanda's, whom nobody has approved yet. */
export const unapprovedViews: View[] = [
  { path: '/wholesaler', shows: 'Unauthorized. This page is only for wholesalers.' },
  { path: '/listofcars', shows: 'Unauthorized. This page is only for wholesalers.' },
]
