import { type RefusalTable, refusals } from '../kit/refusal.ts'

const refusalTable = {
  VinAlreadyListed: [409, 'This car is already listed.'],
  InvalidVin: [422, 'Invalid VIN'],
} as const satisfies RefusalTable

declare module '../kit/refusal.ts' {
  interface RefusalCodes extends Record<keyof typeof refusalTable, true> {}
}

export const carRefusals = refusals(refusalTable)

export const carTexts = {
  vinLookupFailed: 'Invalid VIN',
  vinCheckDigit: 'The check digit of this VIN does not fit. Please compare it with the car once more.',
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
  /** Labels for reading, not for filling in. */
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
    verified: 'We found your car and filled in what we know. Please check it.',
    submit: 'Add Car',
    confirmTitle: 'Confirm Car Details',
    confirm: 'Confirm',
    edit: 'Edit',
    done: 'Car Added Successfully!',
    toDashboard: 'Go To Dashboard',
    toShare: 'Share with your buyer',
    failed: 'An error occurred. Please try again.',
    priceHint: 'Whole dollars. Leave it empty if you have yet to agree on a price.',
    confirmLead: 'Please compare with the car and its papers.',
    confirming: 'Adding…',
    doneHint: 'Your buyer needs nothing but the link to it.',
    failedTitle: 'Car not added',
  },
  edit: {
    open: 'Edit details',
    title: 'Edit Car Details',
    vinStays: 'The VIN cannot be changed. If it is wrong, delete this listing and add the car again.',
    save: 'Save',
    saving: 'Saving…',
    cancel: 'Cancel',
    saved: 'The car details are saved.',
    changed: 'The details have changed since you opened them.',
    none: 'not given',
    zipStays: 'The ZIP code can be corrected, but not removed.',
    takeOver: 'Continue with the new details',
    termsTitle: 'These details are part of the agreement.',
    becomes: (before: string, after: string) => `${before} becomes ${after}.`,
    voids: (names: string, count: number) =>
      count === 1
        ? `${names} has already signed it. Once you save, that signature no longer counts: it has to be given again on the new terms.`
        : `${names} have already signed it. Once you save, those signatures no longer count: they have to be given again on the new terms.`,
    asked: (names: string, count: number) =>
      `${names} ${count === 1 ? 'has' : 'have'} asked for the car as it is described now. Once you save, they are shown what changed, and sign the new terms.`,
    saveTerms: 'Save new terms',
    backToFields: 'Look at it again',
    confirmed:
      'A buyer is confirmed, and these details are part of the agreement. To change them, release the buyer first.',
    held: 'You have signed the agreement that these details are part of. They can be changed if the 72 hours end without the buyer’s signature.',
  },
  public: {
    title: 'Car for sale',
    invalid: 'This link is invalid.',
    invalidHint: 'The car may have been sold, or only part of the link was copied.',
    logIn: 'Log In',
    getStarted: 'Get Started',
    welcome: (sellerName: string, car: string) => `${sellerName} invites you to buy this ${car}`,
    sellerDetails: 'Seller details',
    carDetails: 'Car details',
    name: 'Name',
    email: 'Email',
    phone: 'Phone',
    buy: 'Buy This Car',
    salePending: 'Sale pending',
    ownCar: 'This is your own car, as your buyer sees it.',
    toOwnCar: 'To your car',
    continue: 'Continue',
    begun: 'You have begun to buy this car.',
    confirmed: 'You are the confirmed buyer.',
    bought: 'You have bought this car.',
    sold: 'You have sold this car.',
    pendingHint:
      'The seller has confirmed another buyer. If that sale falls through, you can buy this car here.',
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
    back: 'Back',
  },
  share: {
    copy: 'Copy Link',
    copied: 'Copied Link!',
    qrLabel: 'QR code of the link to this car',
    linkLabel: 'Link for your buyer',
    preview: 'What your buyer will see',
    priceUpdated: 'Price Updated',
    priceUpdatedText: 'The price has been updated successfully.',
    editPrice: 'Edit price',
    priceLabel: 'Asking price',
    newPrice: 'New asking price',
    saving: 'Saving…',
    priceHint:
      'Whole dollars. Requests that wait for your answer get the new price, and signatures on the old one no longer count.',
    openPage: 'Open the page',
    explain: 'Let your buyer scan this code, or send the link.',
    savePrice: 'Save',
    cancel: 'Cancel',
  },
} as const
