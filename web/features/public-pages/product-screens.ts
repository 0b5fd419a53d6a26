/**
 * The product's screens on the landing page. `npm run screenshots -- --landing` writes the pictures
 * to `pictures/`, one per color scheme (decision 31).
 */
export const productScreens = {
  'add-car': {
    height: 480,
    alt: 'Adding a car: the VIN was looked up, and the car’s details are filled in.',
  },
  share: { height: 740, alt: 'Sharing a car: the QR code, and the link under it with a button to copy it.' },
  confirm: { height: 480, alt: 'Requests for a car, each with the buyer’s name and price.' },
  'sign-selling': { height: 480, alt: 'The end of the agreement, with both signatures.' },
  car: { height: 740, alt: 'A shared link: the car, its price and its seller.' },
  trade: { height: 480, alt: 'An offer for a trade-in, with the tax credit and the total.' },
  price: { height: 480, alt: 'The request for a car: the agreed price.' },
  'sign-buying': { height: 480, alt: 'The agreement as the buyer signs it.' },
} as const

export type ScreenName = keyof typeof productScreens

/** In CSS pixels, as on a phone. */
export const screenWidth = 360
export const schemes = ['light', 'dark'] as const
export type Scheme = (typeof schemes)[number]

export const pictureName = (screen: ScreenName, scheme: Scheme) => `${screen}-${scheme}.avif` as const
