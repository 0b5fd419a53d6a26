import { type ErrorTable, errorFactories } from '../shared/error.ts'
import type { DetailName } from './endpoints.ts'
import type { TitleHolder } from './rules.ts'

const refusalTable = {
  VinAlreadyListed: [409, 'This car is already listed.'],
  CarNotAvailable: [404, 'This car is not available at the moment.'],
  InvalidVin: [422, 'Invalid VIN'],
} as const satisfies ErrorTable

declare module '../shared/error.ts' {
  interface ErrorCodes extends Record<keyof typeof refusalTable, true> {}
}

export const carErrors = errorFactories(refusalTable)

export const carTexts = {
  vinLookupFailed: 'Invalid VIN',
  vinCheckDigit: 'This VIN looks mistyped. Compare it with the title.',
  vinShort: 'VINs since 1981 have 17 characters. Compare this one with the title.',
  owed: 'The seller still owes money on this car. The loan is paid off before the title passes.',
  toBeAgreed: 'Price to be agreed',
  yes: 'Yes',
  no: 'No',
  fields: {
    vin: 'VIN',
    make: 'Make',
    carModel: 'Model',
    year: 'Year',
    mileage: 'Mileage',
    color: 'Color',
    trim: 'Trim',
    payoff: 'Do you owe money on this car?',
    price: 'Asking price (optional)',
    message: 'A message for the buyer (optional)',
    zipCode: 'ZIP code of the car (optional)',
  },
  /** Labels for display, not for forms. */
  facts: {
    price: 'Asking price',
    payoff: 'Money owed',
    zipCode: 'ZIP code',
    message: 'Message',
  },
  add: {
    title: 'Add A Car',
    back: 'Back',
    vinLabel: 'Vehicle Identification Number (VIN)',
    verify: 'Verify VIN',
    verifying: 'Looking up…',
    byHand: 'You can fill in the fields by hand, or check the VIN and try again.',
    lookUpFailed: 'The VIN could not be looked up.',
    byHandMeanwhile: 'You can also fill in the fields by hand.',
    earlierVin: 'From the earlier VIN',
    earlierTitle: 'You changed the VIN.',
    earlierQuestion: 'Do the details from the earlier VIN apply to this car too?',
    keepEarlier: 'Keep them',
    clearEarlier: 'Clear them',
    trimUnknown: 'The VIN does not say. Look at the badge on the back of the car.',
    trimChoice: 'This VIN matches more than one trim. Choose yours, or type it in.',
    verified: 'We found your car and filled in what we know. Please check it.',
    submit: 'Add Car',
    confirmTitle: 'Confirm Car Details',
    confirm: 'Confirm',
    edit: 'Edit',
    done: 'Car Added Successfully!',
    toDashboard: 'Go To Dashboard',
    toShare: 'Share with your buyer',
    failed: 'An error occurred. Please try again.',
    priceHint: 'Whole dollars. Leave it empty if you haven’t agreed on a price yet.',
    confirmLead: 'Please check this against the car and its documents.',
    confirming: 'Adding…',
    doneHint: 'All your buyer needs is the link.',
    failedTitle: 'Car not added',
  },
  scan: {
    open: 'Scan VIN',
    title: 'Scan VIN',
    lead: 'Point the camera at the label in the driver’s door frame, or at the plate at the bottom of the windshield.',
    stays: 'The picture is read on this device and never leaves it.',
    picture: 'Camera picture',
    opening: 'Turning on the camera…',
    seen: {
      nothing: 'Looking for a barcode…',
      other: 'This code is not a VIN. There may be another one on the label.',
      unconfirmed: 'This does not read as a valid VIN yet. Hold still and move a little closer.',
      several: 'There is more than one VIN in the picture. Get closer to yours.',
    },
    inPhoto: {
      nothing: 'We could not find a barcode in this photo. Get closer, hold the phone level, and try again.',
      other: 'The code in this photo is not a VIN. There may be another one on the label.',
      unconfirmed: 'We could not read the VIN in this photo reliably. Take another one, or type the VIN.',
      several: 'There is more than one VIN in this photo. Take a photo of your car’s VIN only.',
      unreadable: 'This photo could not be opened. Take another one, or type the VIN.',
    },
    refused:
      'Camera access is blocked. You can allow it in your browser’s settings, take a photo instead, or type the VIN.',
    failed:
      'The camera did not start. Another app may be using it. You can take a photo instead, or type the VIN.',
    away: 'The camera is off while you are away.',
    turnOn: 'Turn On Camera',
    lightOn: 'Light On',
    lightOff: 'Light Off',
    photo: 'Take a Photo',
    reading: 'Reading…',
    byHand: 'Type It Instead',
    found: (vin: string) => `Scanned ${vin}.`,
    notLoaded: 'The scanner could not be loaded. Please check your connection, or type the VIN.',
  },
  edit: {
    open: 'Edit details',
    title: 'Edit Car Details',
    vinStays: 'The VIN cannot be changed. If it is wrong, delete this listing and add the car again.',
    save: 'Save',
    saving: 'Saving…',
    saved: 'The car details are saved.',
    changed: 'The details have changed since you opened them.',
    none: 'not given',
    zipStays: 'The ZIP code can be corrected, but not removed.',
    takeOver: 'Continue with the new details',
    termsTitle: 'These details are part of the agreement.',
    becomes: (before: string, after: string) => `${before} becomes ${after}.`,
    voids: (names: string, count: number) =>
      count === 1
        ? `${names} has already signed it. Once you save, that signature no longer counts, and the new terms have to be signed.`
        : `${names} have already signed it. Once you save, those signatures no longer count, and the new terms have to be signed.`,
    asked: (names: string, count: number) =>
      `${names} ${count === 1 ? 'has' : 'have'} requested the car as it is described now. Once you save, they will see what changed. If they sign, they sign the new terms.`,
    saveTerms: 'Save new terms',
    backToFields: 'Look at it again',
    confirmed:
      'A buyer is confirmed, and these details are part of the agreement. To change them, release the buyer first.',
    held: 'You have signed the agreement that these details are part of. They can be changed if the 72 hours end without the buyer’s signature.',
  },
  photos: {
    title: 'Photos',
    count: (count: number) => `${count} of 20`,
    add: 'Add photos',
    take: 'Take a photo',
    empty:
      'Show the car from every side, the inside, the odometer and any damage. Location data is removed from your photos.',
    byMouse: 'You can also drop or paste photos here.',
    hint: 'Drag them into the order in which they should be shown.',
    hintByTouch: 'Touch and hold a photo to move it. They are shown in this order.',
    full: 'This is the most photos that a car can have. Delete one to make room.',
    fixed: 'The confirmed buyer has seen these photos. To change the photos, release the buyer first.',
    agreed: 'These are the photos from when you both signed. They stay with the deal.',
    first: 'Shown first',
    alt: (place: number, count: number) => `Photo ${place} of ${count}`,
    captionOf: (place: number) => `Caption of photo ${place}`,
    captionHint: 'Add a caption',
    move: (place: number, count: number) => `Move photo ${place} of ${count}`,
    moveHow:
      'Press Space to lift the photo, the arrow keys to move it, and Space again to put it down. Escape puts it back.',
    lifted: (place: number, count: number) => `Photo ${place} of ${count} is lifted.`,
    over: (place: number, count: number) => `Place ${place} of ${count}.`,
    dropped: (place: number, count: number) => `The photo is now number ${place} of ${count}.`,
    notMoved: 'The photo stays where it was.',
    delete: (place: number) => `Delete photo ${place}`,
    deleteTitle: 'Delete Photo',
    deleteQuestion:
      'This photo will no longer be shown. We keep it only if it is part of something that was signed.',
    deleteConfirm: 'Delete',
    deleting: 'Deleting…',
    failed: 'The photos could not be changed. Please try again.',
    notSent: 'This photo was not uploaded.',
    states: {
      waiting: 'Waiting…',
      preparing: 'Getting ready…',
      sending: 'Sending…',
      drawing: 'Almost done…',
      lost: 'Waiting for the connection…',
    },
    guide: {
      title: 'Photo guide',
      taken: (count: number, all: number) => `${count} of ${all} taken`,
      isTaken: (shot: string) => `${shot}, taken`,
      take: (shot: string) => `Take: ${shot}`,
      skip: (shot: string) => `Skip: ${shot}`,
      done: 'Buyers can now see the whole car. Choose a shot to add another photo of it.',
      skipped: 'You can still take the shots that you skipped. Choose one above.',
    },
    progressOf: (name: string) => `Progress of ${name}`,
    retry: 'Try Again',
    cancel: 'Cancel',
    cancelOf: (name: string) => `Cancel ${name}`,
    dismiss: 'Remove',
  },
  words: {
    title: 'Your listing',
    see: 'See it as your buyer will',
    describe: 'Describe your car',
    edit: 'Edit description',
    empty:
      'Nothing yet. A few words about how it drives, recent work and any problems will save you a lot of questions.',
    lead: 'Everyone with the link can read this. All of it is optional.',
    save: 'Save',
    saving: 'Saving…',
    saved: 'Your description is saved.',
    changed: 'The description has changed since you opened it.',
    takeOver: 'Continue with the new description',
    unsaid: 'nothing',
  },
  public: {
    invalid: 'This link is invalid.',
    invalidHint: 'The car may have been sold, or only part of the link was copied.',
    /** For a car whose seller is suspended; it does not say why (R-accounts-63). */
    unavailable: 'This car is not available at the moment.',
    unavailableHint: 'Please try again later.',
    mayBeGood: 'We could not look up the car. The link may still be good.',
    logIn: 'Log In',
    getStarted: 'Get Started',
    toDashboard: 'Go To Dashboard',
    welcome: (sellerName: string, car: string) => `${sellerName} invites you to buy this ${car}`,
    sellerDetails: 'Seller details',
    carDetails: 'Car details',
    fromSeller: 'From the seller',
    photoCount: (count: number) => `${count} photos`,
    morePhotos: (count: number) => `${count} more`,
    name: 'Name',
    email: 'Email',
    phone: 'Phone',
    buy: 'Buy This Car',
    salePending: 'Sale pending',
    ownCar: 'This is your own car, as your buyer sees it.',
    toOwnCar: 'Go To Your Car',
    continue: 'Continue',
    viewDeal: 'View deal',
    begun: 'You have started buying this car.',
    confirmed: 'You are the confirmed buyer.',
    bothSigned: 'Both of you have signed.',
    bought: 'You have bought this car.',
    lost: 'This car was sold to another buyer.',
    sold: 'You have sold this car.',
    pendingHint:
      'The seller has confirmed another buyer. If that sale falls through, you can request this car here.',
    illustration: 'Illustration',
    illustrationOf: (car: string) => `Illustration, not a photo: ${car}`,
    where: (zipCode: string, state: string | null) => (state ? `${zipCode}, ${state}` : zipCode),
    /** What the server has checked, and what the seller stated. */
    checks: {
      label: 'Checked and stated',
      email: 'Email confirmed',
      vin: (car: string) => `VIN checked: ${car}`,
      noLoan: 'Loan stated: none',
      loan: 'Loan stated: yes',
    },
    offer: 'Ready to make an offer? You name your price, and the seller says yes or no.',
    binding: 'Nothing is binding until you both sign.',
    how: {
      title: 'How this works',
      steps: [
        'Tell us whether you have a trade-in or need financing, and make an offer.',
        'The seller confirms you and the price. You both sign the same agreement.',
        'A dealer completes the sale: it buys the car from the seller and sells it to you.',
      ],
    },
    share: 'Share this page',
    shared: 'Copied Link!',
    preview: {
      title: (car: string, price: string) => `${car}, ${price}`,
      text: (facts: string) =>
        `${facts}. See the car and make an offer. Nothing is binding until you both sign.`,
    },
  },
  buyThisCar: {
    interested: 'Interested in buying this car',
    createAccount: 'Create Account',
    signIn: 'Sign In',
    submitCreate: 'Create Account & Buy This Car',
    submitSignIn: 'Sign In & Buy This Car',
    registrationFailed: 'Registration failed. Please check your information and try again.',
    signInFailed: 'Invalid email or password. Please try again.',
    continueAs: (name: string) => `Continue as ${name}`,
    notAsWholesaler:
      'To buy this car, sign in to a buyer account below, or create one with a different email address.',
    back: 'Back',
  },
  share: {
    send: 'Send Link',
    email: 'Email Link',
    copy: 'Copy Link',
    copied: 'Copied Link!',
    qrLabel: 'QR code of the link to this car',
    linkLabel: 'Link for your buyer',
    priceUpdated: 'Price Updated',
    priceUpdatedText: 'The price has been updated successfully.',
    editPrice: 'Edit price',
    priceLabel: 'Asking price',
    newPrice: 'New asking price',
    saving: 'Saving…',
    priceHint: 'Whole dollars.',
    /** With pending requests. */
    offersStay:
      'Buyers’ offers stay as they are. To ask one buyer for another price, propose it in their request.',
    more: 'More ways to share',
    savePng: 'Save QR code as PNG',
    saveSvg: 'Save QR code as SVG',
    printFlyer: 'Print a flyer',
    savePrice: 'Save',
  },
} as const

type DetailTexts = {
  label: string
  /** The label in the form, if it differs. */
  question?: string
  hint?: string
  /** The label that buyers read, if it differs. */
  publicLabel?: string
  /** The text may have several lines. */
  isProse?: true
  /** The labels of the values; '' is the key for no value. */
  options?: Record<string, string>
  publicOptions?: Record<string, string>
}

type Labels<Value extends string> = Record<Value, string>

/** Optional details of a car (R-cars-29), in the order of form, cards and pages. */
export const detailTexts: Record<DetailName, DetailTexts> = {
  description: { label: 'About the car', isProse: true },
  condition: {
    label: 'Condition',
    hint: 'Damage, wear and warning lights, as you would tell a friend.',
    isProse: true,
  },
  owners: { label: 'Number of owners, including you', publicLabel: 'Number of owners' },
  titleHolder: {
    label: 'Title',
    question: 'Who has the title?',
    options: { '': 'Not specified', SELLER: 'I have it', LENDER: 'My lender has it' } satisfies Labels<
      TitleHolder | ''
    >,
    publicOptions: { SELLER: 'With the seller', LENDER: 'With the lender' } satisfies Labels<TitleHolder>,
  },
}
export const detailNames = Object.keys(detailTexts) as DetailName[]
