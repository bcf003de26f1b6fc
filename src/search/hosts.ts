/** Of the search itself, and of all its products. */
export const GOOGLE = /^(?:www\.)?google\.[a-z]{2,3}(?:\.[a-z]{2})?$/;
export const ANY_GOOGLE = /(?:^|\.)google\.[a-z]{2,3}(?:\.[a-z]{2})?$/;
export const BING = /(?:^|\.)bing\.com$/;
export const YANDEX = /(?:^|\.)(?:yandex\.[a-z]{2,3}(?:\.[a-z]{2})?|ya\.ru)$/;
