import type { ConceptDefinition } from "./concept";

/** Concepts of pages and articles. */
export const PAGE_CONCEPTS: readonly ConceptDefinition[] = [
  {
    kind: "title",
    names:
      "title, name, headline, heading, titel, bezeichnung, titre, nom, intitulé, título, nombre, titolo, nome, naam, название, заголовок, 标题, 名称, タイトル, 名前",
    paths: "headline name title",
    meta: "og:title",
  },
  {
    kind: "text",
    names:
      "description, beschreibung, descripción, descrição, descrizione, beschrijving, описание, 描述, 説明, subtitle, teaser, excerpt",
    paths: "description",
    meta: "og:description description",
  },
  {
    kind: "url",
    names: "url, link, canonical url, page url, permalink, web address, product url, article url, recipe url, href",
    paths: "url mainEntityOfPage @id",
    meta: "canonical og:url url",
  },
  {
    kind: "url",
    names:
      "image, image url, main image, picture, photo, photo url, thumbnail, thumbnail url, cover, cover image, hero image, featured image, bild, imagen, imagem, immagine, afbeelding, foto",
    paths: "image primaryImageOfPage thumbnailUrl photo",
    meta: "og:image",
  },
  { kind: "url", names: "logo, logo url", paths: "logo publisher.logo", families: "Organization" },
  {
    kind: "text",
    names: "language, locale, sprache, langue, idioma, lingua, taal, in language",
    paths: "inLanguage",
    meta: "language",
  },
  {
    kind: "keywords",
    names: "keyword, tag, schlagwörter, stichwörter, mots clés, palabras clave, palavras chave, trefwoorden",
    paths: "keywords",
    meta: "keywords news_keywords",
  },
  {
    kind: "name",
    names:
      "author, author name, byline, written by, writer, creator, autor, verfasser, auteur, autore, автор, 作者, 著者, chef, recipe author",
    isUnlabeled: true,
    paths: "author creator",
    meta: "author article:author",
  },
  {
    kind: "date",
    names:
      "published, date published, publication date, published at, published date, publish date, published time, date, published on, release date, posted, posted at, post date, date posted, datum, veröffentlicht, veröffentlichungsdatum, erscheinungsdatum, date de publication, publié le, fecha, fecha de publicación, data de publicação, data di pubblicazione, publicatiedatum, created at, date created",
    isShown: true,
    paths: "datePublished datePosted dateCreated",
    meta: "article:published_time",
    families: "Article Recipe Book Movie SoftwareApplication VideoObject WebPage JobPosting Course none",
  },
  {
    kind: "date",
    names:
      "modified, date modified, updated, updated at, last updated, last modified, modification date, modified time, modified at, update date, aktualisiert, geändert am, mis à jour, actualizado, atualizado, aggiornato, bijgewerkt",
    paths: "dateModified",
    meta: "article:modified_time og:updated_time",
  },
  {
    kind: "name",
    names:
      "publisher, publisher name, site name, website name, site, publication, source, herausgeber, éditeur, editorial, editore, uitgever",
    isUnlabeled: true,
    paths: "publisher",
    meta: "og:site_name",
    families: "Article Recipe Book WebPage none",
  },
  {
    kind: "text",
    names: "section, article section, topic, rubrik, ressort, rubrique",
    paths: "articleSection",
    meta: "article:section",
    families: "Article",
  },
  { kind: "number", names: "word count", paths: "wordCount" },
];
