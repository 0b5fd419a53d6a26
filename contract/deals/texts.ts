import { type ErrorTable, errorFactories } from '../shared/error.ts'

const refusalTable = {
  OwnCar: [409, 'This is your own car.'],
  CarUnavailable: [409, 'The sale of this car is pending with another buyer.'],
  TradeUnavailable: [409, 'This trade is not available for this purchase.'],
  TradeRequired: [409, 'You must select an accepted trade offer to proceed.'],
  StageNotReachable: [409, 'This step is not open yet. Here is your current step.'],
  InvalidTransition: [409, 'This is not possible right now.'],
  BuyerAlreadyConfirmed: [409, 'Another buyer is confirmed for this car.'],
  PriceChanged: [409, 'The price has changed since you opened this. Please review it.'],
  DealInProgress: [409, 'A sale is in progress, so this is not possible right now.'],
  ExclusivityActive: [409, 'You have signed: the car is held for this buyer until the 72 hours are over.'],
  ExclusivityExpired: [
    409,
    'The 72 hours are over. The seller has to confirm the sale again before you can sign.',
  ],
  MessagesClosed: [409, 'This deal is over, and no more messages can be sent.'],
  AgreementBeingDrawn: [503, 'The agreement is still being prepared. Please try again in a minute.'],
  AlreadySigned: [409, 'You have already signed this agreement.'],
  LatinSpellingRequired: [
    400,
    'Our papers cannot print every letter of this name. Please add its spelling in Latin letters.',
  ],
  ConsentWithdrawn: [
    409,
    'You have withdrawn your consent to sign electronically. To sign here, please consent again.',
  ],
} as const satisfies ErrorTable

declare module '../shared/error.ts' {
  interface ErrorCodes extends Record<keyof typeof refusalTable, true> {}
}

export const dealErrors = errorFactories(refusalTable)

/** Shown with `DealInProgress` when an account cannot be deleted. */
export const saleInProgress = (car: string) =>
  `The sale of the ${car} is in progress. You can delete your account once it is complete or called off.`

export const dealTexts = {
  home: {
    sellerView: 'Seller View',
    buyerView: 'Buyer View',
    switcher: 'View',
    sellerTitle: 'Dashboard',
    buyerTitle: 'Purchase Dashboard',
    addCar: 'Add A Car',
    columns: {
      car: 'Car',
      year: 'Year',
      make: 'Make',
      model: 'Model',
      vin: 'VIN',
      price: 'Price',
      status: 'Status',
      actions: 'Actions',
    },
    sellerEmpty: 'You have no cars listed. Add a car to get started.',
    sellerFailed: 'Error fetching cars. Please try again later.',
    buyerEmpty: 'You have no purchases yet. Open the link that a seller shared with you to get started.',
    buyerFailed: 'Error fetching cars. Please try again later.',
    delete: 'Delete',
    link: 'Link',
    edit: 'Edit',
    deleteListingTitle: 'Delete Car',
    deleteListingQuestion: (car: string) =>
      `Are you sure you want to delete your listing of the ${car}? Its link will stop working. This action is irreversible.`,
    deleteRequestTitle: 'Delete Request',
    /** `isSent`: the seller has the request. */
    deleteRequestQuestion: (car: string, isSent: boolean) =>
      `Are you sure you want to delete your request for the ${car}? ${isSent ? 'The seller will be notified. ' : ''}This action is irreversible.`,
    requestDeleted: 'Your request was deleted.',
    listingDeleted: 'Your listing was deleted.',
    cancel: 'Cancel',
    confirmBuyer: 'Review request',
    confirmOneOfThem: 'Review requests',
    signAgreement: 'Sign agreement',
    openDeal: 'Open deal',
    shareLink: 'Share link',
    continuePurchase: 'Continue purchase',
    viewDeal: 'View deal',
    taken: 'Sale pending with another buyer',
    notRequested: 'Not requested yet',
    rejectedTitle: 'Request Turned Down',
    rejectedText: 'The seller has turned down your request.',
    sellersMessage: "The seller's message",
    noMessage: 'The seller left no message.',
    editPrice: 'Edit Price',
    newPrice: 'Your offer',
    savePrice: 'Save',
    deleteRequest: 'Delete Request',
    seeAnswer: 'See answer',
    notFinished: 'Pick up where you left off',
    of: (action: string, car: string) => `${action}: ${car}`,
    /** Next to PENDING, while nobody is asking for the car. */
    listed: 'Listed',
    denied: (count: number) => (count === 1 ? '1 request turned down' : `${count} requests turned down`),
    toBeAgreed: 'Price to be agreed',
    /** Labels that say which amount a price is. */
    prices: {
      asking: 'asking price',
      agreed: 'agreed price',
      offer: 'offer',
      best: 'best offer',
      yours: 'your offer',
    },
    offers: (count: number, best: string) =>
      count === 1 ? `1 offer, ${best}` : `${count} offers, best ${best}`,
    toSign: 'You haven’t signed yet',
    signBy: (deadline: string) => `Sign by ${deadline}`,
    buyerSignsBy: (deadline: string) => `Buyer signs by ${deadline}`,
    waitsForSeller: 'Waiting for the seller',
    proposed: (price: string) => `The seller proposes ${price}`,
    answerProposal: 'Answer proposal',
    waitsForSignature: "Waiting for the seller's signature",
    holdEnded: 'The 72 hours ended. The seller has to confirm again.',
    passedTo: (dealer: string) => `Passed to ${dealer}`,
    more: 'More',
    restsWithBuyer: 'You have confirmed a buyer, so these are unavailable unless the sale falls through.',
    deleteFailed: 'This could not be deleted. Please try again.',
    priceHint: 'Whole dollars. The seller is notified and has to answer your new offer.',
    priceSaved: 'The seller has your new offer.',
    saving: 'Saving…',
    close: 'Close',
    /** Changes by other people while a person was deciding. */
    news: {
      changed: 'This has changed since you opened it.',
      listingGone: 'This listing no longer exists. It was taken down.',
      goOn: 'Continue with the change',
      rejected: 'The seller has turned it down.',
      pendingAgain: 'It is waiting for an answer again.',
      asks: (price: string) => `Has requested this car at ${price}.`,
      withdrawn: 'Has withdrawn the request for this car.',
    },
    endsRequests: (names: string, count: number) =>
      count === 1 ? `The request from ${names} will also end.` : `The requests from ${names} will also end.`,
  },
  sold: {
    title: 'List Of Sold Cars',
    back: 'Back',
    columns: {
      seller: 'Seller',
      buyer: 'Buyer',
      vin: 'VIN',
      car: 'Car Model',
      trades: 'Trade VINs',
      status: 'Status',
    },
    car: (make: string, model: string, year: number) => `${make} ${model} (${year})`,
    noTrades: 'No Trades',
    completed: 'Completed',
    pending: 'Pending',
    empty: 'No progress data available',
    loading: 'Loading...',
    failed: 'Error fetching data.',
    export: 'Export as CSV',
    exporting: 'Exporting…',
    fileName: 'sold-cars.csv',
  },
  /** The administrator's list, for deleting a car that was listed without permission. */
  listings: {
    title: 'Listings',
    columns: { car: 'Car', vin: 'VIN', price: 'Price', listed: 'Listed', action: 'Action' },
    empty: 'No cars are listed.',
    failed: 'The listings could not be loaded. Please try again.',
    remove: 'Take down',
    removeTitle: 'Take this listing down',
    removeQuestion: (car: string) =>
      `The link to the ${car} stops working, and open requests for it end. The reason is kept with the listing.`,
    reason: 'Reason',
    cancel: 'Cancel',
    removed: 'The listing was taken down.',
  },
  timeline: {
    title: 'Timeline',
    failed: 'The timeline could not be loaded.',
    /** For events that name no person. */
    actors: { SELLER: 'Seller', BUYER: 'Buyer', CLOCK: 'Keyturn', ADMIN: 'Keyturn', DEALER: 'Dealer' },
  },
  /** Sentences of a deal's timeline, by event. */
  events: {
    started: 'Started the purchase',
    requested: 'Submitted a request',
    repriced: 'Changed the offer',
    tradesChanged: 'Changed the trade-in',
    confirmed: 'Confirmed the buyer',
    denied: 'Denied the request',
    released: 'Released the buyer',
    withdrawn: 'Withdrew the request',
    sellerSigned: 'Signed as seller',
    buyerSigned: 'Signed as buyer',
    termsChanged: 'Changed the car’s details',
    /** Recorded until a seller could no longer change a buyer's offer. */
    priceChanged: 'Changed the price of this request',
    askingPriceChanged: 'Changed the asking price',
    priceProposed: 'Proposed a price',
    proposalTakenBack: 'Took back the proposed price',
    proposalAccepted: 'Accepted the proposed price',
    proposalDeclined: 'Declined the proposed price',
    lapsed: 'The 72 hours ended before both sides had signed',
    passed: 'The deal was passed on to the dealer',
    completed: 'The deal was completed',
    soldElsewhere: 'The car was sold to another buyer',
    tradeRemoved: 'Removed a trade from the request',
    listingRemoved: 'Took the listing down',
    dealerAccepted: 'Accepted the deal',
    documentNeeded: 'Asked for a document',
    appointmentMade: 'Made an appointment',
    sellerPaid: 'Paid the seller',
    titleReceived: 'Received the title',
    dealerCancelled: 'Called off the sale',
  },
} as const
